// Command share measures what the processor adds to decoding and encoding a batch, which every collector does: in one
// process, on all cores, garbage collector included. Beside it stands the least that could be added: one pass and the writing of
// the same attributes, known before. It writes a Markdown table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/harnesserr/harnesserr/bench/internal/block"
	"github.com/harnesserr/harnesserr/bench/internal/cases"
	"github.com/harnesserr/harnesserr/bench/internal/machine"
	"github.com/harnesserr/harnesserr/bench/internal/measure"
	"github.com/harnesserr/harnesserr/internal/samplebatch"
)

func main() {
	rounds := flag.Int("rounds", 25, "how often every batch size is measured")
	each := flag.Duration("each", 400*time.Millisecond, "how long each way is measured at a time")
	sizes := flag.String("sizes", "1000,4000", "spans in a batch, separated by commas")
	page := flag.String("page", "", "Markdown page whose block gets the table")
	flag.Parse()
	if err := run(*rounds, *each, *sizes, *page); err != nil {
		log.Fatal(err)
	}
}

func run(rounds int, each time.Duration, sizes, page string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Load average %s before; %d rounds of %s.\n\n"+
		"| spans a batch | between decoding and encoding | CPU µs a span | × |\n| ---: | --- | ---: | ---: |\n",
		machine.Describe(), machine.Load(), rounds, each)
	for text := range strings.SplitSeq(sizes, ",") {
		size, err := strconv.Atoi(text)
		if err != nil || size < 20 || size%20 != 0 {
			return fmt.Errorf("-sizes: got %q, want multiples of 20", text)
		}
		if err := measureSize(&b, size, rounds, each); err != nil {
			return err
		}
	}
	fmt.Print(b.String())
	if page == "" {
		return nil
	}
	return block.Replace(page, "share", b.String())
}

// way is something that can stand between decoding and encoding.
type way struct {
	name     string
	consume  func(ctx context.Context, td ptrace.Traces) error
	cost, by []float64
}

func encode(_ context.Context, td ptrace.Traces) error {
	_, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(td)
	return err
}

// ways are those that are compared; the first is nothing at all.
func ways(ctx context.Context, batch samplebatch.Batch) (list []*way, stop func() error, err error) {
	next, err := consumer.NewTraces(encode)
	if err != nil {
		return nil, nil, err
	}
	list = []*way{{name: "nothing", consume: encode}}
	var stops []func(context.Context) error
	for _, annotate := range []string{"failures", "all"} {
		config := map[string]any{"annotate": annotate}
		write, err := cases.Foreknown(batch, config)
		if err != nil {
			return nil, nil, err
		}
		p, err := cases.Processor(ctx, config, next)
		if err != nil {
			return nil, nil, err
		}
		stops = append(stops, p.Shutdown)
		list = append(list,
			&way{name: "one pass, and the attributes of `annotate: " + annotate + "`, known before", consume: func(ctx context.Context, td ptrace.Traces) error {
				write(td)
				return encode(ctx, td)
			}},
			&way{name: "harnesserr, `annotate: " + annotate + "`", consume: p.ConsumeTraces})
	}
	return list, func() error {
		var errs []error
		for _, s := range stops {
			errs = append(errs, s(ctx))
		}
		return errors.Join(errs...)
	}, nil
}

func measureSize(b *strings.Builder, size, rounds int, each time.Duration) (err error) {
	ctx := context.Background()
	batch := samplebatch.Default
	batch.Spans = size
	wire, err := (&ptrace.ProtoMarshaler{}).MarshalTraces(batch.Traces())
	if err != nil {
		return err
	}
	list, stop, err := ways(ctx, batch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	for range rounds {
		for _, w := range list {
			cost, err := feed(ctx, w, wire, size, each)
			if err != nil {
				return err
			}
			w.cost = append(w.cost, cost)
			w.by = append(w.by, list[0].cost[len(w.cost)-1]/cost)
		}
	}
	for _, w := range list {
		fmt.Fprintf(b, "| %d | %s | %.2f | %.2f |\n", size, w.name, measure.Median(w.cost), measure.Median(w.by))
	}
	return nil
}

// feed decodes batches and hands them on from as many senders as two for each core, and returns the CPU microseconds that a
// span took the process.
func feed(ctx context.Context, w *way, wire []byte, size int, each time.Duration) (float64, error) {
	var spans atomic.Int64
	var failed atomic.Pointer[error]
	began, end := machine.ProcessTime(), time.Now().Add(each)
	var senders sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		senders.Go(func() {
			for time.Now().Before(end) {
				td, err := (&ptrace.ProtoUnmarshaler{}).UnmarshalTraces(wire)
				if err == nil {
					err = w.consume(ctx, td)
				}
				if err != nil {
					failed.Store(&err)
					return
				}
				spans.Add(int64(size))
			}
		})
	}
	senders.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64((machine.ProcessTime() - began).Nanoseconds()) / 1e3 / float64(spans.Load()), nil
}
