"""Has python-chess, the library of lichess-bot, drive an engine over a protocol in every game that both know.

usage: drive.py uci|xboard ENGINE
Each answer is checked by the library's own rules. Prints one line a game.
"""

import sys

import chess
import chess.engine
import chess.variant

PLIES = 24
BOARDS = [
    chess.Board,
    chess.variant.AntichessBoard,
    chess.variant.AtomicBoard,
    chess.variant.CrazyhouseBoard,
    chess.variant.HordeBoard,
    chess.variant.KingOfTheHillBoard,
    chess.variant.RacingKingsBoard,
    chess.variant.ThreeCheckBoard,
    lambda: chess.Board.from_chess960_pos(100),
]


def play(engine, board):
    ply = 0
    while ply < PLIES and not board.is_game_over():
        # Every other move is thought about in the time of the one before.
        answer = engine.play(board, chess.engine.Limit(depth=2, time=10), ponder=ply % 2 == 0)
        board.push(answer.move)
        ply += 1
    return ply


def main(protocol, path):
    start = chess.engine.SimpleEngine.popen_uci if protocol == "uci" else chess.engine.SimpleEngine.popen_xboard
    with start(path, timeout=120) as engine:
        for make in BOARDS:
            board = make()
            plies = play(engine, board)
            print(protocol, board.uci_variant, "960" if board.chess960 else "", plies, flush=True)
        info = engine.analyse(chess.Board(), chess.engine.Limit(depth=3))
        assert info["pv"][0] in chess.Board().legal_moves, info
        print(protocol, "analysis", flush=True)


main(*sys.argv[1:])
