package bot_test

import (
	"testing"
	"time"

	"hoplite/client/bot"
)

func TestPolicy(t *testing.T) {
	t.Parallel()
	const min, sec = bot.Duration(time.Minute), bot.Duration(time.Second)
	blitz := bot.Offer{Variant: "spartan", Speed: "blitz", Clock: true, Limit: 3 * time.Minute, Increment: 2 * time.Second, Opponent: "anna", Rating: 1500}
	with := func(change func(*bot.Offer)) bot.Offer { o := blitz; change(&o); return o }
	post := with(func(o *bot.Offer) { o.Clock, o.Days, o.Speed = false, 3, "correspondence" })
	unlimited := with(func(o *bot.Offer) { o.Clock, o.Speed = false, "correspondence" })
	rated := with(func(o *bot.Offer) { o.Rated = true })
	aBot := with(func(o *bot.Offer) { o.OpponentBot = true })
	nobody := with(func(o *bot.Offer) { o.Opponent, o.Rating = "", 0 })
	for name, tc := range map[string]struct {
		policy func(*bot.Policy)
		offer  bot.Offer
		load   bot.Load
		want   bot.DeclineReason
	}{
		"default takes blitz":         {offer: blitz},
		"default takes rated":         {offer: rated},
		"default takes post":          {offer: post},
		"default takes unlimited":     {offer: unlimited},
		"default takes bots":          {offer: aBot},
		"default takes anonymous":     {offer: nobody},
		"unknown game":                {offer: with(func(o *bot.Offer) { o.Variant = "gobblet" }), want: bot.DeclineVariant},
		"game not listed":             {policy: func(p *bot.Policy) { p.Variants = []string{"standard"} }, offer: blitz, want: bot.DeclineVariant},
		"game listed":                 {policy: func(p *bot.Policy) { p.Variants = []string{"standard", "spartan"} }, offer: blitz},
		"listed but not played":       {policy: func(p *bot.Policy) { p.Variants = []string{"gobblet"} }, offer: with(func(o *bot.Offer) { o.Variant = "gobblet" }), want: bot.DeclineVariant},
		"casual only":                 {policy: func(p *bot.Policy) { p.Modes = []string{"casual"} }, offer: rated, want: bot.DeclineCasual},
		"rated only":                  {policy: func(p *bot.Policy) { p.Modes = []string{"rated"} }, offer: blitz, want: bot.DeclineRated},
		"other speed":                 {policy: func(p *bot.Policy) { p.Speeds = []string{"rapid"} }, offer: blitz, want: bot.DeclineTimeControl},
		"too short":                   {policy: func(p *bot.Policy) { p.MinLimit = 5 * min }, offer: blitz, want: bot.DeclineTooFast},
		"too long":                    {policy: func(p *bot.Policy) { p.MaxLimit = 1 * min }, offer: blitz, want: bot.DeclineTooSlow},
		"exactly the bounds":          {policy: func(p *bot.Policy) { p.MinLimit, p.MaxLimit = 3*min, 3*min }, offer: blitz},
		"increment too short":         {policy: func(p *bot.Policy) { p.MinIncrement = 3 * sec }, offer: blitz, want: bot.DeclineTooFast},
		"increment too long":          {policy: func(p *bot.Policy) { p.MaxIncrement = 1 * sec }, offer: blitz, want: bot.DeclineTooSlow},
		"clock bounds spare post":     {policy: func(p *bot.Policy) { p.MinLimit, p.MaxIncrement = 5*min, 1*sec }, offer: post},
		"too few days":                {policy: func(p *bot.Policy) { p.MinDays = 5 }, offer: post, want: bot.DeclineTooFast},
		"too many days":               {policy: func(p *bot.Policy) { p.MaxDays = 2 }, offer: post, want: bot.DeclineTooSlow},
		"no unlimited":                {policy: func(p *bot.Policy) { p.Unlimited = false }, offer: unlimited, want: bot.DeclineTimeControl},
		"no unlimited but post":       {policy: func(p *bot.Policy) { p.Unlimited = false }, offer: post},
		"no bots":                     {policy: func(p *bot.Policy) { p.Bots = false }, offer: aBot, want: bot.DeclineNoBot},
		"bots only":                   {policy: func(p *bot.Policy) { p.People = false }, offer: blitz, want: bot.DeclineOnlyBot},
		"no anonymous":                {policy: func(p *bot.Policy) { p.Anonymous = false }, offer: nobody, want: bot.DeclineGeneric},
		"blocked whatever the case":   {policy: func(p *bot.Policy) { p.Block = []string{"ANNA"} }, offer: blitz, want: bot.DeclineGeneric},
		"blocked and wrong game":      {policy: func(p *bot.Policy) { p.Block = []string{"Anna"}; p.Variants = []string{"standard"} }, offer: blitz, want: bot.DeclineGeneric},
		"anonymous is not blocked":    {policy: func(p *bot.Policy) { p.Block = []string{""} }, offer: nobody},
		"only friends":                {policy: func(p *bot.Policy) { p.Only = []string{"bea"} }, offer: blitz, want: bot.DeclineGeneric},
		"a friend":                    {policy: func(p *bot.Policy) { p.Only = []string{"Anna"} }, offer: blitz},
		"too weak":                    {policy: func(p *bot.Policy) { p.MinRating = 1600 }, offer: blitz, want: bot.DeclineGeneric},
		"too strong":                  {policy: func(p *bot.Policy) { p.MaxRating = 1400 }, offer: blitz, want: bot.DeclineGeneric},
		"rating unknown":              {policy: func(p *bot.Policy) { p.MinRating = 1600 }, offer: nobody},
		"last place":                  {offer: blitz, load: bot.Load{Games: 3}},
		"full":                        {offer: blitz, load: bot.Load{Games: 4}, want: bot.DeclineLater},
		"full and wrong game":         {policy: func(p *bot.Policy) { p.Variants = []string{"standard"} }, offer: blitz, load: bot.Load{Games: 4}, want: bot.DeclineVariant},
		"second game against one":     {policy: func(p *bot.Policy) { p.PerOpponent = 1 }, offer: blitz, load: bot.Load{Games: 1, WithOpponent: 1}, want: bot.DeclineLater},
		"first game against this one": {policy: func(p *bot.Policy) { p.PerOpponent = 1 }, offer: blitz, load: bot.Load{Games: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := bot.DefaultPolicy()
			if tc.policy != nil {
				tc.policy(&p)
			}
			plays := func(v string) bool { return v == "spartan" || v == "standard" }
			if got := p.Decide(tc.offer, tc.load, plays); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
