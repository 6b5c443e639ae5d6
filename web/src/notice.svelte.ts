// What those who run the server want everybody to know.
class Notice {
  text: string | undefined = $state();
}

export const notice = new Notice();
