// Command load measures the collector's binary under load, with harnesserr and without, over OTLP/gRPC on loopback. Both
// collectors run at once and are fed in turn, so that they meet the same machine. It writes a Markdown table.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/harnesserr/harnesserr/bench/internal/block"
	"github.com/harnesserr/harnesserr/bench/internal/machine"
	"github.com/harnesserr/harnesserr/bench/internal/measure"
)

func main() {
	binary := flag.String("binary", "bin/otelcol-harness", "the collector")
	rounds := flag.Int("rounds", 15, "how often every batch size is measured")
	each := flag.Duration("each", 700*time.Millisecond, "how long a collector is fed at a time")
	sizes := flag.String("sizes", "100,512,1000,4000,8192", "spans in a batch, separated by commas")
	senders := flag.Int("senders", 4, "senders at once")
	out := flag.String("out", "", "file to write; without it the table goes to standard output alone")
	page := flag.String("page", "", "Markdown page whose block gets the tables")
	flag.Parse()
	if err := run(*binary, *rounds, *each, *sizes, *senders, *out, *page); err != nil {
		log.Fatal(err)
	}
}

// variants are the processors of the collectors that are compared; the first is what the others are compared with.
var variants = []struct{ name, processors, config string }{
	{"without", "memory_limiter", ""},
	{"`annotate: failures`", "memory_limiter, harnesserr", "harnesserr: {annotate: failures}"},
	{"`annotate: all`", "memory_limiter, harnesserr", "harnesserr: {annotate: all}"},
}

func run(binary string, rounds int, each time.Duration, sizeList string, senders int, out, page string) (err error) {
	var sizes []int
	for text := range strings.SplitSeq(sizeList, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-sizes: got %q, want positive numbers", text)
		}
		sizes = append(sizes, n)
	}
	backend, err := startSink()
	if err != nil {
		return err
	}
	defer backend.stop()
	collectors := make([]*collector, len(variants))
	for i, v := range variants {
		if collectors[i], err = startCollector(binary, v.processors, v.config, backend.address); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, collectors[i].stop()) }()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Load average %s before; %d rounds of %s, %d senders on the same machine.\n\n"+
		"| spans a batch | collector | spans/s | × | CPU s per million spans | × by CPU |\n| ---: | --- | ---: | ---: | ---: | ---: |\n",
		machine.Describe(), machine.Load(), rounds, each, senders)
	for _, size := range sizes {
		if err := measureSize(&b, collectors, backend, size, rounds, each, senders); err != nil {
			return err
		}
	}
	b.WriteString("\n| collector | resident memory at the end |\n| --- | ---: |\n")
	for i, c := range collectors {
		kb, err := c.resident()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "| %s | %d MiB |\n", variants[i].name, kb>>10)
	}
	fmt.Print(b.String())
	if page != "" {
		err = block.Replace(page, "load", b.String())
	}
	if out == "" {
		return err
	}
	const head = "# Results of the whole pipeline\n\nWritten by `make bench-load`; docs/performance.md says how to read it.\n\n"
	return errors.Join(err, os.WriteFile(out, []byte(head+b.String()), 0o644))
}

// measureSize feeds every collector in turn and writes the rows of one batch size.
func measureSize(b *strings.Builder, collectors []*collector, backend *sink, size, rounds int, each time.Duration, senders int) error {
	payload, err := encode(size)
	if err != nil {
		return err
	}
	n := len(collectors)
	rate, cpu, ratio, byCPU := make([][]float64, n), make([][]float64, n), make([][]float64, n), make([][]float64, n)
	for round := range rounds + 1 {
		for i, c := range collectors {
			perSecond, perMillion, err := c.feed(context.Background(), payload, backend, senders, each)
			if err != nil {
				return err
			}
			if round == 0 {
				continue // warms connections and pools
			}
			rate[i], cpu[i] = append(rate[i], perSecond), append(cpu[i], perMillion)
			ratio[i] = append(ratio[i], perSecond/rate[0][round-1])
			byCPU[i] = append(byCPU[i], cpu[0][round-1]/perMillion) // what the throughput would be if nothing else ran
		}
		fmt.Fprintf(os.Stderr, "\rbatches of %d: round %d of %d ", size, round, rounds)
	}
	fmt.Fprintln(os.Stderr)
	for i := range collectors {
		fmt.Fprintf(b, "| %d | %s | %.0f | %.2f | %.2f | %.2f |\n", size, variants[i].name,
			measure.Median(rate[i]), measure.Median(ratio[i]), measure.Median(cpu[i]), measure.Median(byCPU[i]))
	}
	return nil
}
