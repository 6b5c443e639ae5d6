package variant

import "hoplite/engine/rules"

// OukChatrang is Cambodian chess: makruk with leaps of king and met. The numbers are those of its rules.
func OukChatrang() *rules.Definition {
	d := Makruk()
	d.Key, d.Name, d.UCIName, d.PGNName = "oukChatrang", "Ouk Chatrang", "cambodian", "Ouk Chatrang"
	d.Programs = rules.ProgramNames{Also: []string{"ouk"}}
	d.PGNAliases = []string{"Cambodian"}
	d.Text = sheet("oukChatrang")
	d.Start.FEN = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1"
	for i, name := range []string{"Sdaach", "Tuuk", "Seh", "Kol", "Neang", "Trey"} {
		d.Pieces[i].Name = name
	}
	d.Privilege = &rules.PrivilegeRule{Leaps: []rules.LeapRule{
		{Man: "K", Betza: "mfsN", Aimed: "R"},   // 2
		{Man: "M", Betza: "mfD", InCheck: true}, // 3
	}}
	d.Count.Exceeds = false
	d.Count.Declared.Men, d.Count.Declared.Pawns = 3, true // 7
	return d
}
