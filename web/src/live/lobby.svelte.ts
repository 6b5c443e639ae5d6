// Who looks for a game now, and what has been sent to the reader.
import type { MeFrame, Seek } from "./frames";
import type { Socket } from "./socket";

type GameInfo = NonNullable<MeFrame["game"]>;
type Challenge = NonNullable<MeFrame["challenge"]>;

export class Lobby {
  seeks: readonly Seek[] = $state.raw([]);
  readonly #leave: () => void;

  constructor(socket: Socket) {
    this.#leave = socket.followLobby({
      lobby: (seeks) => (this.seeks = seeks),
      added: (seek) => (this.seeks = [...this.seeks.filter(({ id }) => id !== seek.id), seek]),
      gone: (gone) => (this.seeks = this.seeks.filter(({ id }) => id !== gone)),
    });
  }

  close(): void {
    this.#leave();
  }
}

/** The running games and the open challenges of the account. */
export class Inbox {
  games: readonly GameInfo[] = $state.raw([]);
  challenges: readonly Challenge[] = $state.raw([]);
  readonly #leave: () => void;

  constructor(socket: Socket, started: (game: GameInfo) => void, declined: (challenge: Challenge) => void) {
    this.#leave = socket.followEvents((frame) => {
      const { game, challenge } = frame;
      if (frame.kind === "all") {
        this.games = frame.games ?? [];
        this.challenges = frame.challenges ?? [];
      } else if (challenge) {
        const others = this.challenges.filter(({ id }) => id !== challenge.id);
        this.challenges = frame.kind === "challenge" ? [...others, challenge] : others;
        if (frame.kind === "challengeDeclined") declined(challenge);
      } else if (game) {
        const others = this.games.filter(({ gameId }) => gameId !== game.gameId);
        this.games = frame.kind === "gameStart" ? [...others, game] : others;
        this.challenges = this.challenges.filter(({ id }) => id !== game.gameId);
        if (frame.kind === "gameStart") started(game);
      }
    });
  }

  close(): void {
    this.#leave();
  }
}
