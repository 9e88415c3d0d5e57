package org.railyard.campaign.report;

import org.railyard.fabric.torus.grid.TorusShape;

/** What cases say of each position of a torus. */
public final class PlaceFigures {
    private final TorusShape shape;
    private final long[] cases;
    private final long[] bad;
    private final double[] sum;
    private final long[] summed;

    PlaceFigures(TorusShape shape) {
        this.shape = shape;
        cases = new long[shape.positions()];
        bad = new long[shape.positions()];
        sum = new double[shape.positions()];
        summed = new long[shape.positions()];
    }

    void add(int position, boolean isGood, double value) {
        cases[position]++;
        bad[position] += isGood ? 0 : 1;
        if (!Double.isNaN(value)) {
            sum[position] += value;
            summed[position]++;
        }
    }

    /** Returns the torus. */
    public TorusShape shape() {
        return shape;
    }

    /** Returns how many cases name a position. */
    public long cases(int position) {
        return cases[position];
    }

    /** Returns how many of them did not end well. */
    public long bad(int position) {
        return bad[position];
    }

    /** Returns the share of them that did not end well; NaN if there are none. */
    public double badShare(int position) {
        return cases[position] == 0 ? Double.NaN : (double) bad[position] / cases[position];
    }

    /** Returns the mean of the figure that is mapped; NaN if there is none. */
    public double mean(int position) {
        return summed[position] == 0 ? Double.NaN : sum[position] / summed[position];
    }
}
