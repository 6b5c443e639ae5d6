package rules

// Perft counts the leaves of the tree of legal moves of the given depth. The last ply is counted, not made. The game's
// draws do not end a line; that is how the published tables count.
func Perft(p *Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if depth == 1 {
		return uint64(p.CountMoves())
	}
	room := make([]Move, 0, moveRoom*depth)
	return perft(p, depth, room)
}

func perft(p *Position, depth int, room []Move) uint64 {
	if depth == 1 && (!p.rules.stages.on || p.rules.stages.tabled) {
		return uint64(p.CountMoves())
	}
	moves := p.Moves(room)
	if depth == 1 {
		return uint64(len(moves))
	}
	room = moves[len(moves):]
	var n uint64
	var u Undo
	for _, m := range moves {
		p.Make(m, &u)
		n += perft(p, depth-1, room)
		p.Unmake(m, &u)
	}
	return n
}
