import { readFileSync } from 'node:fs';
import { checkDashboard } from './dashboard';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('check: no files given');
  process.exit(2);
}
let bad = 0;
for (const file of files) {
  let findings;
  try {
    findings = checkDashboard(JSON.parse(readFileSync(file, 'utf8')));
  } catch (e) {
    findings = [{ path: '', message: (e as Error).message }];
  }
  for (const f of findings) console.error(`${file}: ${f.path}: ${f.message}`);
  bad += findings.length;
}
console.log(bad ? `${bad} features that the page does not draw` : `${files.length} dashboards can be drawn in full`);
process.exit(bad ? 1 : 0);
