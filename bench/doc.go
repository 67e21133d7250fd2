// Package bench measures harnesserr beside the components that would stand in its place, on the same batches in the
// same run. `make bench` writes RESULTS.md; docs/performance.md explains it.
package bench
