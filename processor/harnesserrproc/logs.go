package harnesserrproc

import (
	"context"

	"go.opentelemetry.io/collector/pdata/plog"
)

func (p *normalizer) logs(_ context.Context, ld plog.Logs) (plog.Logs, error) { return ld, nil }
