//go:build js && wasm

// Command hoplite-wasm is the rules core and the search for the page, as WebAssembly in a worker. It sets one global,
// hoplite, an object with the functions
//
//	ask(id, name, question, tell)  answers later: tell(kind, text), kind being "answer", "error" or "progress"
//	stop(id)                       ends the search asked for under that id
//
// with questions and answers in JSON as package call has them.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"
	"time"

	"hoplite/engine/call"
)

// slice is how long a search may keep everything else waiting.
const slice = 30 * time.Millisecond

func main() {
	desk, err := call.New()
	if err != nil {
		panic(err)
	}
	// A sleep of Go's may be over before the scheduler looks, and then messages never get their turn. A timer of the
	// browser always comes after them.
	awake := make(chan struct{}, 1)
	wake := js.FuncOf(func(js.Value, []js.Value) any { awake <- struct{}{}; return nil })
	last := time.Now()
	desk.Yield = func() {
		if time.Since(last) < slice {
			return
		}
		js.Global().Call("setTimeout", wake, 0)
		<-awake
		last = time.Now()
	}
	running := make(map[string]context.CancelFunc)
	ask := func(_ js.Value, args []js.Value) any {
		id, name, question, tell := args[0].String(), args[1].String(), args[2].String(), args[3]
		ctx, cancel := context.WithCancel(context.Background())
		running[id] = cancel
		go func() {
			defer func() { delete(running, id); cancel() }()
			send := func(kind string, value any) {
				text, err := json.Marshal(value)
				if err != nil {
					kind, text = "error", []byte(err.Error())
				}
				tell.Invoke(kind, string(text))
			}
			answer, err := desk.Do(ctx, name, []byte(question), func(p any) { send("progress", p) })
			if err != nil {
				tell.Invoke("error", err.Error())
				return
			}
			send("answer", answer)
		}()
		return nil
	}
	stop := func(_ js.Value, args []js.Value) any {
		if cancel := running[args[0].String()]; cancel != nil {
			cancel()
		}
		return nil
	}
	js.Global().Set("hoplite", map[string]any{"ask": js.FuncOf(ask), "stop": js.FuncOf(stop)})
	select {}
}
