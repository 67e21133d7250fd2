package main

import (
	"fmt"
	"strings"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/envprovider"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"

	"context"

	"github.com/harnesserr/harnesserr/processor/harnesserrproc"
)

// loadConfig reads the harnesserr section of a collector configuration, as the collector does: ${env:NAME} is filled in,
// unknown keys are errors. Without a file it returns the default configuration.
func loadConfig(file string) (component.Config, error) {
	f := harnesserrproc.NewFactory()
	cfg := f.CreateDefaultConfig()
	if file == "" {
		return cfg, nil
	}
	resolver, err := confmap.NewResolver(confmap.ResolverSettings{
		URIs:              []string{"file:" + file},
		ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory(), envprovider.NewFactory()},
		DefaultScheme:     "env",
	})
	if err != nil {
		return nil, err
	}
	conf, err := resolver.Resolve(context.Background())
	if err != nil {
		return nil, err
	}
	section, err := harnesserrSection(conf, file)
	if err != nil {
		return nil, err
	}
	if err := section.Unmarshal(cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := confmap.Validate(cfg); err != nil {
		return nil, fmt.Errorf("%s: processors::harnesserr: %w", file, err)
	}
	return cfg, nil
}

// harnesserrSection finds the first harnesserr processor; a file that is such a section itself will do too.
func harnesserrSection(conf *confmap.Conf, file string) (*confmap.Conf, error) {
	if conf.IsSet("harnesserr") {
		return conf.Sub("harnesserr")
	}
	processors, err := conf.Sub("processors")
	if err != nil {
		return nil, fmt.Errorf("%s: processors: %w", file, err)
	}
	for name := range processors.ToStringMap() {
		if name == "harnesserr" || strings.HasPrefix(name, "harnesserr/") {
			return processors.Sub(name)
		}
	}
	return nil, fmt.Errorf("%s: no processor harnesserr", file)
}
