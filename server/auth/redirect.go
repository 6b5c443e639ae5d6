package auth

import (
	"net/netip"
	"net/url"
	"strings"
)

// maxRedirect is the longest redirect URI in bytes: beyond it, browsers and proxies start to refuse addresses.
const maxRedirect = 2000

// redirectOrigin returns where a redirect URI leads, in the form that a person is shown: scheme and host, or for an
// app the scheme alone. why says what is wrong with a URI that cannot be used; then origin is empty.
//
// Nobody registers redirect URIs here, so their form is all that there is to check: the code must not cross a network
// unencrypted, and must not land in a scheme that browsers themselves act on, such as javascript.
func redirectOrigin(uri string) (origin, why string) {
	if len(uri) > maxRedirect {
		return "", "is too long"
	}
	// Browsers and this program must read the address alike, so only what RFC 3986 allows may stand in it.
	if i := strings.IndexFunc(uri, notInURI); i >= 0 {
		return "", "has a character that must be escaped"
	}
	if strings.Contains(uri, "#") {
		return "", "must not have a fragment"
	}
	u, err := url.Parse(uri)
	if err != nil || u.Scheme == "" {
		return "", "is not an address"
	}
	if u.User != nil {
		return "", "must not have a user name"
	}
	switch host := u.Hostname(); {
	case u.Scheme == "https":
		if !hostName(host) {
			return "", "has no host"
		}
	case u.Scheme == "http":
		if !loopbackHost(host) {
			return "", "must be https, unless it leads to this machine"
		}
	case !strings.Contains(u.Scheme, "."):
		return "", "must be https, http on this machine, or a scheme that is a reversed domain such as org.example.app"
	case u.Opaque != "" || strings.HasPrefix(u.Scheme, ".") || strings.HasSuffix(u.Scheme, ".") || strings.Contains(u.Scheme, ".."):
		return "", "is not an address"
	default:
		return u.Scheme, ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), ""
}

func notInURI(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return r > '~' || !strings.ContainsRune("-._~:/?#[]@!$&'()*+,;=%", r)
}

func hostName(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Zone() == ""
	}
	return host != "" && !strings.ContainsFunc(host, func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z') && !('0' <= r && r <= '9') && r != '-' && r != '.'
	})
}

func loopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Zone() == "" && addr.IsLoopback()
}

// withQuery adds parameters, given as names and values, to a usable redirect URI, which otherwise stays letter for
// letter. Empty values are left out.
func withQuery(uri string, pairs ...string) string {
	var b strings.Builder
	b.WriteString(uri)
	separator := "?"
	if strings.Contains(uri, "?") {
		separator = "&"
		if strings.HasSuffix(uri, "?") || strings.HasSuffix(uri, "&") {
			separator = ""
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		b.WriteString(separator)
		b.WriteString(pairs[i])
		b.WriteByte('=')
		// %20 for a space is understood by those too who do not know of the plus sign.
		b.WriteString(strings.ReplaceAll(url.QueryEscape(pairs[i+1]), "+", "%20"))
		separator = "&"
	}
	return b.String()
}
