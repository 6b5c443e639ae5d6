// Who is using the page.
import { api, type Schemas } from "./api/client";

export type Me = Schemas["User"];

class Session {
  /** The signed-in account, null for nobody, undefined until the server has said. */
  me: Me | null | undefined = $state(undefined);

  /** Finds out who is signed in as the page opens. The server notes with the page whether anybody may be. */
  async open(): Promise<void> {
    if (/(^|; )hoplite_signed_in=0(;|$)/.test(document.cookie)) this.me = null;
    else await this.refresh();
  }

  /** Asks the server who is signed in. */
  async refresh(): Promise<void> {
    const { data } = await api.GET("/api/account");
    this.me = data ?? null;
  }

  async signOut(): Promise<void> {
    await api.POST("/api/logout");
    this.me = null;
  }
}

export const session = new Session();
