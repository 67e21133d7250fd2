// Package golden stands in for a module that only tests of other components name.
package golden
