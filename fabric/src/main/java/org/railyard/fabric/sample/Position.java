package org.railyard.fabric.sample;

/**
 * Coordinates of a switch on a torus, from 0.
 *
 * @param x first coordinate
 * @param y second coordinate
 * @param z third coordinate
 */
public record Position(int x, int y, int z) {
    int along(int dimension) {
        return switch (dimension) {
            case 0 -> x;
            case 1 -> y;
            default -> z;
        };
    }

    /** Returns the position that differs in one coordinate. */
    Position with(int dimension, int coordinate) {
        return switch (dimension) {
            case 0 -> new Position(coordinate, y, z);
            case 1 -> new Position(x, coordinate, z);
            default -> new Position(x, y, coordinate);
        };
    }

    @Override
    public String toString() {
        return x + "." + y + "." + z;
    }
}
