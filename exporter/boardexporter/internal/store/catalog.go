package store

import (
	"maps"
	"sync"

	"github.com/prometheus/prometheus/model/metadata"
)

// maxCataloged bounds the catalog: names come from outside.
const maxCataloged = 10_000

// Catalog remembers what a metric is: its type, unit and help text. It is kept in memory, so it is empty after a start
// until the first point of a metric arrives.
type Catalog struct {
	mu     sync.RWMutex
	byName map[string]metadata.Metadata
}

func newCatalog() *Catalog { return &Catalog{byName: map[string]metadata.Metadata{}} }

// All returns a copy of the catalog by metric name.
func (c *Catalog) All() map[string]metadata.Metadata {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return maps.Clone(c.byName)
}

func (c *Catalog) put(name string, m metadata.Metadata) {
	c.mu.RLock()
	old, ok := c.byName[name]
	c.mu.RUnlock()
	if name == "" || ok && old == m {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if ok || len(c.byName) < maxCataloged {
		c.byName[name] = m
	}
}
