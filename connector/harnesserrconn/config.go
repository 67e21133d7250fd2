package harnesserrconn

import (
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"

	"github.com/harnesserr/harnesserr/internal/document"
)

// Config is the configuration of the connector. README.md describes each key.
type Config struct {
	// Document says which records become events and how long their text may be.
	Document document.Config `mapstructure:",squash"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var _ confmap.Validator = (*document.Config)(nil)

func createDefaultConfig() component.Config {
	return &Config{Document: document.NewDefaultConfig()}
}
