// Package kafka tests examples/agent.yaml and examples/gateway.yaml around a Kafka broker that runs inside the test. It is a
// module of its own, so that nobody else inherits the broker.
package kafka
