package variantfile

import (
	"fmt"
	"strconv"
	"strings"
)

// pieceBetza gives the movement of the types that variants.ini knows by name.
func pieceBetza(name string) (betza string, ok bool) {
	switch name {
	case "pawn":
		return "fmWfceF", true
	case "knight":
		return "N", true
	case "bishop":
		return "B", true
	case "rook":
		return "R", true
	case "queen":
		return "Q", true
	case "fers":
		return "F", true
	case "alfil":
		return "A", true
	case "fersAlfil":
		return "FA", true
	case "silver":
		return "FfW", true
	case "aiwok":
		return "RNF", true
	case "bers":
		return "RF", true
	case "archbishop":
		return "BN", true
	case "chancellor":
		return "RN", true
	case "amazon":
		return "QN", true
	case "knibis":
		return "mNcB", true
	case "biskni":
		return "mBcN", true
	case "kniroo":
		return "mNcR", true
	case "rookni":
		return "mRcN", true
	case "shogiPawn":
		return "fW", true
	case "lance":
		return "fR", true
	case "shogiKnight":
		return "fN", true
	case "gold":
		return "WfF", true
	case "dragonHorse":
		return "BW", true
	case "clobber":
		return "cW", true
	case "breakthrough":
		return "fmWfF", true
	case "cannon":
		return "mRcpR", true
	case "janggiCannon":
		return "pR", true
	case "soldier":
		return "fsW", true
	case "horse":
		return "nN", true
	case "elephant":
		return "nA", true
	case "banner":
		return "RcpRnN", true
	case "wazir":
		return "W", true
	case "commoner", "king":
		return "K", true
	case "centaur":
		return "KN", true
	}
	return "", false
}

// custom reports whether an option is one of the slots for pieces of one's own.
func custom(name string) bool {
	rest, ok := strings.CutPrefix(name, "customPiece")
	n, err := strconv.Atoi(rest)
	return ok && err == nil && n >= 1 && n <= 25
}

// set takes an option over.
func (b *recipe) set(key, value string) error {
	if _, known := pieceBetza(key); known || custom(key) {
		return b.setPiece(key, value)
	}
	if quiet, known := without(key); known {
		if value == quiet {
			return nil
		}
		return fmt.Errorf("the option is not supported: %q asks for a mechanism that is not there", value)
	}
	switch key {
	case "variantTemplate", "pieceToCharTable", "pocketSize":
		return nil // for the windows of other programs only
	case "maxRank":
		return number(value, 1, 26, &b.ranks)
	case "maxFile":
		if len(value) == 1 && value[0] >= 'a' && value[0] <= 'z' {
			b.files = int(value[0]-'a') + 1
			return nil
		}
		return number(value, 1, 26, &b.files)
	case "startFen":
		b.fen = value
	case "pieceValueMg":
		return b.setValues(value)
	case "pieceValueEg":
		return nil // one value a type is enough for us
	case "pawnTypes", "promotionPawnTypes":
		return b.pieceSet(value, &b.pawns)
	case "enPassantTypes":
		return b.otherSet(value, &b.passers)
	case "nMoveRuleTypes":
		return b.otherSet(value, &b.resetters)
	case "promotionRegionWhite":
		return wholeRanks(value, &b.promotionWhite)
	case "promotionRegionBlack":
		return wholeRanks(value, &b.promotionBlack)
	case "promotionPieceTypes":
		return b.pieceSet(value, &b.promotesTo)
	case "promotionLimit":
		return b.mapping(value, func(letter, n string) error {
			var limit int
			err := number(n, 0, 100, &limit)
			b.promotionLimit[letter] = limit
			return err
		})
	case "promotedPieceType":
		clear(b.promoted)
		if value == "-" {
			return nil
		}
		return b.mapping(value, func(from, to string) error {
			b.promoted[from] = strings.ToUpper(to)
			return nil
		})
	case "mandatoryPawnPromotion":
		return boolean(value, &b.mustPawn)
	case "mandatoryPiecePromotion":
		return boolean(value, &b.mustPiece)
	case "doubleStep":
		return boolean(value, &b.doubleStep)
	case "doubleStepRegionWhite":
		return wholeRanks(value, &b.doubleWhite)
	case "doubleStepRegionBlack":
		return wholeRanks(value, &b.doubleBlack)
	case "enPassantRegion":
		if value != "-" {
			return fmt.Errorf("only - (no en passant) is supported")
		}
		b.enPassant = false
	case "castling":
		return boolean(value, &b.castling)
	case "castlingKingsideFile":
		return b.file(value, &b.kingSide)
	case "castlingQueensideFile":
		return b.file(value, &b.queenSide)
	case "castlingKingFile":
		return b.file(value, &b.kingFile)
	case "castlingRookKingsideFile":
		return b.file(value, &b.rookKingSide)
	case "castlingRookQueensideFile":
		return b.file(value, &b.rookQueenSide)
	case "checking":
		var checks bool
		err := boolean(value, &checks)
		b.noCheck = !checks
		return err
	case "mustCapture":
		return boolean(value, &b.mustCapture)
	case "pieceDrops":
		return boolean(value, &b.drops)
	case "capturesToHand":
		return boolean(value, &b.toHand)
	case "firstRankPawnDrops":
		return boolean(value, &b.firstRankDrops)
	case "promotionZonePawnDrops":
		return boolean(value, &b.zoneDrops)
	case "dropLoop":
		return boolean(value, &b.dropLoop)
	case "dropNoDoubled":
		if value == "-" {
			b.noDoubled = ""
			return nil
		}
		return b.pieceSet(value, &b.noDoubled)
	case "dropNoDoubledCount":
		return number(value, 1, 20, &b.noDoubledCount)
	case "immobilityIllegal":
		return boolean(value, &b.immobilityIllegal)
	case "shogiPawnDropMateIllegal":
		return boolean(value, &b.dropMateIllegal)
	case "gating":
		return boolean(value, &b.gating)
	case "seirawanGating":
		return boolean(value, &b.seirawan)
	case "nMoveRule":
		return number(value, 0, 1000, &b.moveRule)
	case "nFoldRule":
		return number(value, 0, 100, &b.foldRule)
	case "stalemateValue":
		return gameValue(value, &b.stalemate)
	case "extinctionValue":
		if value == "none" {
			b.extinction = ""
			return nil
		}
		return gameValue(value, &b.extinction)
	case "extinctionPieceTypes":
		b.extinct = strings.ToUpper(strings.ReplaceAll(value, " ", ""))
	case "flagPiece":
		b.flagPiece = strings.ToUpper(value)
	case "flagRegionWhite":
		b.flagWhite = value
	case "flagRegionBlack":
		b.flagBlack = value
	case "flagRegion":
		b.flagWhite, b.flagBlack = value, value
	case "flagMove":
		return boolean(value, &b.flagMove)
	case "flyingGeneral":
		return boolean(value, &b.facing)
	case "perpetualCheckIllegal":
		return boolean(value, &b.perpetual)
	case "checkCounting":
		return boolean(value, &b.checkCounting)
	case "blastOnCapture":
		return boolean(value, &b.blast)
	case "extinctionPseudoRoyal":
		return boolean(value, &b.pseudoRoyal)
	case "duckGating":
		return boolean(value, &b.duck)
	default:
		if man, side, ok := mobility(key); ok {
			b.setMobility(man, side, value)
			return nil
		}
		return fmt.Errorf("there is no such option")
	}
	return nil
}

// without returns the value with which an option that we do not have asks for nothing.
func without(key string) (value string, known bool) {
	switch key {
	case "chess960", "twoBoards", "sittuyinPromotion", "piecePromotionOnCapture", "pieceDemotion", "petrifyOnCapture",
		"castlingDroppedPiece", "mustDrop", "dropOnTop", "sittuyinRookDrop", "dropOppositeColoredBishop", "dropPromoted",
		"arrowGating", "staticGating", "pastGating", "cambodianMoves", "pass", "passOnStalemate", "makpongRule",
		"nFoldValueAbsolute", "moveRepetitionIllegal", "stalematePieceCount",
		"shatarMateRule", "bikjangRule", "extinctionClaim", "dupleCheck",
		"flagPieceSafe", "connectHorizontal", "connectVertical", "connectDiagonal":
		return "false", true
	case "dropChecks":
		return "true", true
	case "blastImmuneTypes", "mutuallyImmuneTypes", "enclosingDrop", "chasingRule", "flipEnclosedPieces", "materialCounting",
		"countingRule", "adjudicateFullBoard":
		return "none", true
	case "tripleStepRegionWhite", "tripleStepRegionBlack", "enclosingDropStart", "whiteDropRegion", "blackDropRegion",
		"diagonalLines", "staticGatingRegion", "connectPieceTypes", "connectRegion1White", "connectRegion2White",
		"connectRegion1Black", "connectRegion2Black":
		return "-", true
	case "castlingRank", "soldierPromotionRank":
		return "1", true
	case "castlingKingPiece":
		return "k", true
	case "castlingRookPieces":
		return "r", true
	case "mustDropType":
		return "*", true
	case "nFoldValue":
		return "draw", true
	case "checkmateValue":
		return "loss", true
	case "extinctionPieceCount", "extinctionOpponentPieceCount", "connectN", "collinearN", "connectNxN", "connectValue":
		return "0", true
	}
	return "", false
}

// mobility reads the name of an option for the region that a man of one side never leaves, such as
// mobilityRegionWhiteKing.
func mobility(key string) (man string, side int, ok bool) {
	rest, ok := strings.CutPrefix(key, "mobilityRegion")
	if !ok {
		return "", 0, false
	}
	for side, colour := range []string{"White", "Black"} {
		if name, ok := strings.CutPrefix(rest, colour); ok && name != "" {
			man := strings.ToLower(name[:1]) + name[1:]
			_, known := pieceBetza(man)
			return man, side, known || custom(man)
		}
	}
	return "", 0, false
}

func boolean(value string, to *bool) error {
	switch value {
	case "true":
		*to = true
	case "false":
		*to = false
	default:
		return fmt.Errorf("%q is neither true nor false", value)
	}
	return nil
}

func number(value string, least, most int, to *int) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%q is no number from %d to %d", value, least, most)
	}
	*to = n
	return nil
}

func gameValue(value string, to *string) error {
	switch value {
	case "win", "loss", "draw":
		*to = value
		return nil
	}
	return fmt.Errorf("%q is neither win, loss nor draw", value)
}
