package variantfile

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"hoplite/engine/rules"
)

// Read reads a game from the text of a YAML file and compiles it. It fails with *Error. file is only used in errors.
func Read(file string, text []byte, parents Finder) (*rules.Definition, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, &Error{File: file, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &Error{File: file, Line: 1, Reason: "the file must hold one game: fields with values"}
	}
	r := reader{file: file, lines: map[string]int{}}
	root := doc.Content[0]
	d := &rules.Definition{}
	if err := r.inherit(root, &d, parents); err != nil {
		return nil, err
	}
	if err := r.fields(root, reflect.ValueOf(d).Elem(), ""); err != nil {
		return nil, err
	}
	if !isKey(d.Key) {
		return nil, r.fail(root, "key", "%q is no key: letters and digits, beginning with a small letter", d.Key)
	}
	if _, err := rules.Compile(d); err != nil {
		return nil, r.explain(err)
	}
	return d, nil
}

// isKey reports whether a text can stand in an address.
func isKey(key string) bool {
	for i, c := range key {
		if c > unicode.MaxASCII || !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) || i == 0 && !unicode.IsLower(c) {
			return false
		}
	}
	return key != "" && len(key) <= maxKey
}

const maxKey = 40

type reader struct {
	file string
	// lines holds the lines of the fields that the file gives.
	lines map[string]int
}

func (r *reader) fail(n *yaml.Node, field, format string, args ...any) *Error {
	return &Error{File: r.file, Line: n.Line, Field: field, Reason: fmt.Sprintf(format, args...)}
}

// inherit starts from the parent, which loses what makes it a game of its own, less the types named under "without".
func (r *reader) inherit(root *yaml.Node, d **rules.Definition, parents Finder) error {
	node := value(root, "parent")
	if node == nil {
		return nil
	}
	parent, ok := parents(node.Value)
	if !ok {
		return r.fail(node, "parent", "there is no game %q", node.Value)
	}
	own := *parent
	parent = &own
	*d = parent
	parent.Key, parent.Name, parent.UCIName, parent.PGNName, parent.PGNAliases = "", "", "", "", nil
	parent.Lichess, parent.Text, parent.Programs = nil, rules.Text{}, rules.ProgramNames{}
	without := value(root, "without")
	if without == nil {
		return nil
	}
	for _, letter := range rules.Tokens(without.Value) {
		if !takeAway(parent, letter) {
			return r.fail(without, "without", "the parent has no man %q", letter)
		}
	}
	return nil
}

// takeAway removes a type of men from a definition and from the lists that name it, and reports whether it was there.
func takeAway(d *rules.Definition, letter string) bool {
	i := slices.IndexFunc(d.Pieces, func(p rules.PieceDef) bool { return p.Letter == letter })
	if i < 0 {
		return false
	}
	d.Pieces = slices.Delete(slices.Clone(d.Pieces), i, i+1)
	d.Sides, d.Ends = slices.Clone(d.Sides), slices.Clone(d.Ends)
	lists := []*string{&d.FlagFall.Lone, &d.FlagFall.LoneAgainst, &d.FlagFall.OneColour, &d.FlagFall.Helpers}
	for i := range d.Sides {
		lists = append(lists, &d.Sides[i].Army)
	}
	for i := range d.Ends {
		lists = append(lists, &d.Ends[i].Material.Single, &d.Ends[i].Material.OneColour)
	}
	for i := range d.Pieces {
		if rule := d.Pieces[i].Promotion; rule != nil {
			own := *rule
			d.Pieces[i].Promotion = &own
			lists = append(lists, &own.To)
		}
	}
	for _, list := range lists {
		left := slices.DeleteFunc(rules.Tokens(*list), func(token string) bool { return token == letter })
		*list = strings.Join(left, "")
	}
	return true
}

// value returns the value of a key of a mapping, or nil.
func value(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// fields reads a mapping into a struct.
func (r *reader) fields(n *yaml.Node, to reflect.Value, path string) error {
	if n.Kind != yaml.MappingNode {
		return r.fail(n, path, "fields with values are needed")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		if path == "" && (key.Value == "parent" || key.Value == "without") {
			continue
		}
		way := join(path, key.Value)
		if seen[key.Value] {
			return r.fail(key, way, "given twice")
		}
		seen[key.Value] = true
		field := fieldByName(to, key.Value)
		if !field.IsValid() {
			return r.fail(key, way, "there is no such field")
		}
		r.lines[way] = key.Line
		if err := r.read(val, field, way); err != nil {
			return err
		}
	}
	return nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// fieldByName finds the exported field whose name in lowerCamelCase is the given one.
func fieldByName(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && lowerCamel(f.Name) == name {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// lowerCamel writes a Go name in lowerCamelCase: FEN as fen, PGNName as pgnName.
func lowerCamel(name string) string {
	runes := []rune(name)
	for i := range runes {
		if i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) || !unicode.IsUpper(runes[i]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// read reads a value of any type that definitions have.
func (r *reader) read(n *yaml.Node, to reflect.Value, path string) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Tag == "!!null" {
		to.SetZero()
		return nil
	}
	switch to.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(to.Type().Elem())
		if !to.IsNil() {
			fresh.Elem().Set(to.Elem())
		}
		if err := r.read(n, fresh.Elem(), path); err != nil {
			return err
		}
		to.Set(fresh)
		return nil
	case reflect.Struct:
		return r.fields(n, to, path)
	case reflect.Slice, reflect.Array:
		return r.list(n, to, path)
	case reflect.Map:
		return r.table(n, to, path)
	}
	return r.scalar(n, to, path)
}

func (r *reader) scalar(n *yaml.Node, to reflect.Value, path string) error {
	if n.Kind != yaml.ScalarNode {
		return r.fail(n, path, "a single value is needed")
	}
	switch to.Kind() {
	case reflect.String:
		to.SetString(n.Value)
	case reflect.Bool:
		b, err := strconv.ParseBool(n.Value)
		if err != nil {
			return r.fail(n, path, "%q is neither true nor false", n.Value)
		}
		to.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(n.Value, 10, to.Type().Bits())
		if err != nil {
			return r.fail(n, path, "%q is no whole number of this size", n.Value)
		}
		to.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		i, err := strconv.ParseUint(n.Value, 10, to.Type().Bits())
		if err != nil {
			return r.fail(n, path, "%q is no whole number from 0 of this size", n.Value)
		}
		to.SetUint(i)
	case reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return r.fail(n, path, "%q is no number", n.Value)
		}
		to.SetFloat(f)
	default:
		return r.fail(n, path, "it cannot be given in a file")
	}
	return nil
}

// list reads a sequence. Types of men and sides are matched by their letter with those that are there already.
func (r *reader) list(n *yaml.Node, to reflect.Value, path string) error {
	if n.Kind != yaml.SequenceNode {
		return r.fail(n, path, "a list is needed")
	}
	if to.Kind() == reflect.Array {
		if len(n.Content) > to.Len() {
			return r.fail(n, path, "%d values instead of at most %d", len(n.Content), to.Len())
		}
		for i, item := range n.Content {
			if err := r.read(item, to.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	matched := path == "pieces" || path == "sides"
	out := reflect.MakeSlice(to.Type(), 0, len(n.Content))
	if matched {
		out = reflect.AppendSlice(out, to)
	}
	for i, item := range n.Content {
		way := fmt.Sprintf("%s[%d]", path, i)
		at := -1
		if matched && item.Kind == yaml.MappingNode {
			if letter := value(item, "letter"); letter != nil {
				way = fmt.Sprintf("%s[%s]", path, letter.Value)
				for j := range out.Len() {
					if out.Index(j).FieldByName("Letter").String() == letter.Value {
						at = j
					}
				}
			}
		}
		if at < 0 {
			out = reflect.Append(out, reflect.Zero(to.Type().Elem()))
			at = out.Len() - 1
		}
		r.lines[way] = item.Line
		if err := r.read(item, out.Index(at), way); err != nil {
			return err
		}
	}
	to.Set(out)
	return nil
}

// table reads a mapping whose keys are free texts.
func (r *reader) table(n *yaml.Node, to reflect.Value, path string) error {
	if n.Kind != yaml.MappingNode {
		return r.fail(n, path, "keys with values are needed")
	}
	out := reflect.MakeMap(to.Type())
	for i := 0; i+1 < len(n.Content); i += 2 {
		item := reflect.New(to.Type().Elem()).Elem()
		if err := r.read(n.Content[i+1], item, join(path, n.Content[i].Value)); err != nil {
			return err
		}
		out.SetMapIndex(reflect.ValueOf(n.Content[i].Value).Convert(to.Type().Key()), item)
	}
	to.Set(out)
	return nil
}
