package boardexporter

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// pemOf writes a certificate and its key to files.
func pemOf(t *testing.T, c tls.Certificate) (cert, key string) {
	dir := t.TempDir()
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: c.Certificate[0]},
		"key.pem":  {Type: "PRIVATE KEY", Bytes: der},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	return filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
}
