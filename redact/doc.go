// Package redact cleans one string of error telemetry.
package redact
