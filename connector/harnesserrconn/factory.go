package harnesserrconn

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/consumer"

	"github.com/harnesserr/harnesserr/connector/harnesserrconn/internal/metadata"
	"github.com/harnesserr/harnesserr/internal/document"
)

// NewFactory returns the factory of the connector.
func NewFactory() connector.Factory {
	return connector.NewFactory(
		metadata.Type,
		createDefaultConfig,
		connector.WithTracesToLogs(createTracesToLogs, metadata.TracesToLogsStability),
		connector.WithLogsToLogs(createLogsToLogs, metadata.LogsToLogsStability),
	)
}

func createTracesToLogs(_ context.Context, _ connector.Settings, cfg component.Config, next consumer.Logs) (connector.Traces, error) {
	return newEventConnector(cfg, next)
}

func createLogsToLogs(_ context.Context, _ connector.Settings, cfg component.Config, next consumer.Logs) (connector.Logs, error) {
	return newEventConnector(cfg, next)
}

func newEventConnector(cfg component.Config, next consumer.Logs) (*eventConnector, error) {
	builder, err := document.NewBuilder(cfg.(*Config).Document)
	if err != nil {
		return nil, err
	}
	return &eventConnector{builder: builder, next: next}, nil
}
