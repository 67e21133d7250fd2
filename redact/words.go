package redact

import "strings"

// notValues are words that stand where a value could, and are none.
var notValues = wordSet(`none null nil true false undefined required missing invalid empty redacted pass hidden expired incorrect wrong unknown
	string str int integer bool boolean number object array bytes any optional text field value values type default unset notset
	example placeholder changeme your todo tbd na n/a absent present valid disabled enabled denied rejected failed error yes no on off
	masked removed filtered secret password token key apikey passwd pwd credentials auth basic bearer digest environ environment env
	input output file stdin stdout prompt ask random generated auto self this user username email name id process os config settings
	options opts args params kwargs request response header headers body query var let const function func def return new not
	must should can is are was the a an and or for with from in of to be has have had it if else then
	secretstr sensitive protected encrypted plaintext pbkdf2 bcrypt scrypt argon2 md5 sha1 sha256 sha512 plain md5crypt
	public private shared global local internal external test`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func isNotValue(s string) bool {
	if len(s) > 12 {
		return false
	}
	var buf [12]byte
	n := copy(buf[:], s)
	for k := range n {
		buf[k] = lowerByte(buf[k])
	}
	return notValues[string(buf[:n])]
}

// references point at a secret and are none.
var references = []string{
	"process.env", "os.environ", "os.getenv", "system.getenv", "env.", "env(", "env:", "secrets.", "vault:", "op://", "arn:", "projects/", "enc[", "ref+",
	"ssm:", "sops:", "file:", "http://", "https://", "data:", "getsecret", "sha256:", "sha512:", "urn:", "config.", "settings.", "self.", "this.",
	"./", "../", "~/", "/etc/", "/var/", "/run/", "/home/", "/root/", "/usr/", "/opt/", "/tmp/", "/app/", "/secrets/", "/users/", "c:\\", "keyring:", "aws-sm:", "gcp-sm:", "ssh-rsa", "ssh-ed25519",
}

// idPrefixes begin identifiers that services hand out in the open.
var idPrefixes = []string{
	"req_", "run_", "thread_", "msg_", "call_", "toolu_", "chatcmpl-", "resp_", "batch_", "file-", "asst_", "vs_", "org-", "proj_", "evt_", "cus_",
	"sub_", "ch_", "in_", "price_", "prod_", "acct_", "user-", "cmpl-", "step_", "srvtoolu_", "trace-", "span-", "conv_", "sess_id", "fc_", "rs_", "ws_", "pod-", "i-", "vpc-", "sg-",
	"task-", "job-", "run-", "node-", "gpt-", "claude-", "gemini-", "text-embedding", "o1-", "o3-", "o4-", "llama-", "models/",
}
