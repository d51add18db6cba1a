package dev.laurel.core.board;

import dev.laurel.core.model.Board;
import java.util.List;

/** A board after an edit, and what the edit did to its seasons. */
public record Edited(Board board, List<SeasonChange> seasons) {}
