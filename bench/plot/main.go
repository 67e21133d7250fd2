// Command plot draws the curves of docs/performance.md from results.csv.
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"image/color"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// curve is a family of cases whose names end in the value of x.
type curve struct{ label, prefix string }

type figure struct {
	file, title, x string
	curves         []curve
}

var figures = []figure{
	{"perf-failures.svg", "Cost and share of failures", "failing spans, %", []curve{
		{"annotate: all", "harnesserr/growth/failing_all/"},
		{"annotate: failures", "harnesserr/growth/failing/"},
	}},
	{"perf-attributes.svg", "Cost and number of attributes", "attributes of a span (the smallest point: 8 to 20)", []curve{
		{"annotate: failures, 5 % failing", "harnesserr/growth/attributes/"},
		{"one pass over the attributes", "floor/growth/attributes/"},
	}},
	{"perf-rules.svg", "Cost and number of own rules", "own rules, beside the built-in ones", []curve{
		{"annotate: failures, 5 % failing", "harnesserr/growth/rules/"},
	}},
}

// Dark enough on white, and told apart without colours by the labels' order.
var colours = []color.Color{color.RGBA{R: 0x1b, G: 0x5e, B: 0xa8, A: 0xff}, color.RGBA{R: 0xb4, G: 0x52, B: 0x09, A: 0xff}}

func main() {
	in := flag.String("in", "results.csv", "what the report wrote")
	out := flag.String("out", ".", "directory of the figures")
	flag.Parse()
	if err := run(*in, *out); err != nil {
		log.Fatal(err)
	}
}

func run(in, out string) error {
	f, err := os.Open(in)
	if err != nil {
		return err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	for _, fig := range figures {
		if err := draw(fig, rows, out); err != nil {
			return fmt.Errorf("%s: %w", fig.file, err)
		}
	}
	return nil
}

func draw(fig figure, rows [][]string, out string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = fig.title, fig.x, "CPU a span, in units of classify200"
	p.Y.Min, p.Legend.Top, p.Legend.Left = 0, true, true
	p.Title.Padding, p.X.Padding, p.Y.Padding = vg.Points(6), 0, 0
	p.Add(plotter.NewGrid())
	for i, c := range fig.curves {
		points, err := pointsOf(c, rows)
		if err != nil {
			return err
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, dots.Color, line.Width = colours[i], colours[i], vg.Points(1.5)
		p.Add(line, dots)
		p.Legend.Add(c.label, line, dots)
		for _, pt := range points {
			p.Y.Max = max(p.Y.Max, pt.Y*1.25)
		}
	}
	return p.Save(16*vg.Centimeter, 9*vg.Centimeter, filepath.Join(out, fig.file))
}

func pointsOf(c curve, rows [][]string) (points plotter.XYs, err error) {
	for _, row := range rows {
		value, ok := strings.CutPrefix(row[0], c.prefix)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, err
		}
		y, err := strconv.ParseFloat(row[4], 64)
		if err != nil {
			return nil, err
		}
		points = append(points, plotter.XY{X: x, Y: y})
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("no case %s*", c.prefix)
	}
	return points, nil
}
