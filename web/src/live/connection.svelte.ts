// The page's one websocket: opened when a part of the page first needs it, and opened anew when the person changes.
import { untrack } from "svelte";
import { notice } from "../notice.svelte";
import { session } from "../session.svelte";
import { Socket, type ConnectionState } from "./socket";

class Connection {
  state: ConnectionState = $state("connecting");
  #socket: Socket | undefined = $state.raw();
  #account: string | undefined;

  /** The socket of whoever is signed in now. Reading it in an effect renews the effect when that changes. */
  get socket(): Socket {
    const account = session.me?.id ?? "";
    return untrack(() => this.#for(account)) && (this.#socket as Socket);
  }

  /** The server's time, for clocks. */
  serverTime(): number {
    return this.#socket?.serverTime() ?? Date.now();
  }

  #for(account: string): Socket {
    if (this.#socket && this.#account === account && this.#socket.state !== "closed") return this.#socket;
    this.#socket?.close();
    this.#account = account;
    const socket = new Socket();
    this.#socket = socket;
    socket.onNotice = (told) => (notice.text = told?.msg);
    socket.watch((state) => {
      if (socket === this.#socket) this.state = state;
    });
    return socket;
  }
}

export const connection = new Connection();
