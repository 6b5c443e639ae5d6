package variant

import (
	"embed"
	"strings"

	"hoplite/engine/rules"
)

//go:embed *.md
var sheets embed.FS

// sheet cuts the rule sheet of a game into the texts that people read: the paragraphs under its headings.
func sheet(key string) rules.Text {
	b, err := sheets.ReadFile(key + ".md")
	if err != nil {
		return rules.Text{} // a test fails if a sheet is missing
	}
	return cutSheet(string(b))
}

func cutSheet(text string) rules.Text {
	section := func(title string) string {
		_, after, _ := strings.Cut(text, "\n## "+title+"\n")
		text, _, _ := strings.Cut(after, "\n## ")
		return strings.TrimSpace(text)
	}
	return rules.Text{Summary: section("Summary"), Rules: section("Rules"), History: section("History"),
		OtherReadings: section("Other readings")}
}
