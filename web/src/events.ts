// The kinds of events of the audit log, in words. A kind that a newer server knows is shown as it is.
const texts: Readonly<Record<string, string>> = {
  "account.created": "Account made", login: "Signed in", "login.failed": "Wrong password", "login.code.failed": "Wrong code of the second factor",
  logout: "Signed out", "sessions.ended": "Sessions ended", "password.changed": "Password changed", "password.reset": "Password set by a link",
  "password.reset.asked": "Link for a new password sent", "password.reset.link": "Link for a new password made by an administrator",
  "email.changed": "E-mail address changed", "email.confirmed": "E-mail address confirmed", "token.created": "API token made",
  "token.revoked": "API token revoked", "oauth.granted": "Application let in", "totp.enabled": "Second factor turned on",
  "totp.disabled": "Second factor turned off", "totp.recovery": "Recovery code used", "oidc.linked": "Other log-in linked",
  "oidc.unlinked": "Other log-in removed", "account.exported": "Data exported", "account.closed": "Account closed",
  "account.reopened": "Account opened again", "account.banned": "Account banned", "role.changed": "Role changed",
  "invite.created": "Invitation made", "invite.revoked": "Invitation revoked", "report.resolved": "Report dealt with",
};

export function eventText(kind: string): string {
  return texts[kind] ?? kind;
}

export const eventKinds: readonly string[] = Object.keys(texts);
