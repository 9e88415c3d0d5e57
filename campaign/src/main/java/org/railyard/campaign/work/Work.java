package org.railyard.campaign.work;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.railyard.fabric.torus.grid.TorusShape;

/** A plan whose inputs are read: ready to run. Immutable; any thread. */
public interface Work {
    /** Returns what the campaign is, one line. */
    String title();

    /** Returns how many cases there are. */
    long cases();

    /** Returns the columns of a row. */
    List<RowColumn> columns();

    /** Returns the verdict of a case that ended well. */
    String goodVerdict();

    /** Returns the torus whose positions rows name; empty if they name none. */
    default Optional<TorusShape> torus() {
        return Optional.empty();
    }

    /** Returns the figure whose mean is drawn on the map of the torus; empty if there is no map. */
    default String mapped() {
        return "";
    }

    /** Returns a new worker. */
    Worker worker();

    /**
     * Returns the command that runs a case again.
     *
     * @param inputs the folder with the inputs of the plan
     */
    String replay(long number, Path inputs);

    /** Runs cases, one after the other. What comes of one depends on nothing that was run before. Not thread-safe. */
    interface Worker {
        /**
         * Runs a case.
         *
         * @param number 0 to one less than {@link Work#cases}
         * @return a cell for each column
         */
        List<String> run(long number);
    }
}
