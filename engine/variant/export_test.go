package variant

// CutSheet cuts a rule sheet into texts, for tests with games of their own.
var CutSheet = cutSheet
