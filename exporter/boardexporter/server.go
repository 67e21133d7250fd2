package boardexporter

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.uber.org/zap"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/promapi"
	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/site"
)

// serve begins to answer requests. Their contexts end with ctx, so that no query keeps the collector from stopping.
func (b *board) serve(ctx context.Context, host component.Host) error {
	handler, err := b.handler()
	if err != nil {
		return err
	}
	server, err := b.cfg.ToServer(ctx, host.GetExtensions(), b.set, handler, confighttp.WithErrorHandler(refuse))
	if err != nil {
		return err
	}
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	listener, err := b.cfg.ToListener(ctx)
	if err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	b.server, b.address = server, listener.Addr().String()
	b.background.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			b.set.Logger.Error("The server stopped", zap.Error(err))
		}
	})
	b.set.Logger.Info("Board is up", zap.String("page", b.page()))
	return nil
}

// page is where a browser finds the page, if the endpoint is a TCP address.
func (b *board) page() string {
	if b.cfg.TLS.HasValue() {
		return "https://" + b.address + "/"
	}
	return "http://" + b.address + "/"
}

func (b *board) handler() (http.Handler, error) {
	pages, err := site.New(site.Files{
		Page:       b.assets.page,
		Unbuilt:    b.assets.unbuilt,
		Dashboards: b.assets.dashboards,
		Runbooks:   b.assets.runbooks,

		SampleInterval: b.cfg.SampleInterval,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(promapi.Prefix, promapi.New(b.store, b.rules, promapi.Options{
		MaxConcurrency: b.cfg.Query.MaxConcurrency,
		Observe:        b.answered,
	}).Handler())
	// The paths at which load balancers and Prometheus' clients look.
	mux.HandleFunc("GET /-/healthy", ok)
	mux.HandleFunc("GET /-/ready", ok)
	mux.Handle("/", pages)
	return mux, nil
}

func ok(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "OK") }

// refuse answers what the server itself turns away: missing credentials, bodies that are too large or undecodable.
func refuse(w http.ResponseWriter, r *http.Request, message string, status int) {
	if strings.HasPrefix(r.URL.Path, promapi.Prefix) {
		promapi.Fail(w, message, status)
		return
	}
	if status == http.StatusUnauthorized {
		// The extension doesn't tell its scheme. Of the usual ones this is what a browser can ask its user for.
		w.Header().Set("WWW-Authenticate", `Basic realm="board"`)
	}
	http.Error(w, message, status)
}
