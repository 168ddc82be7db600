//go:build tools

// Package tools names the program, so that go.mod and go.sum pin what it is built from.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
