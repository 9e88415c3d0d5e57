package org.railyard.lab.load;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.Life;
import org.railyard.lnet.EventHandler;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.MeConfig;

/** The side of an application that is asked: takes all PUTs on one portal and answers all GETs on another. */
public final class Target {
    /** Where PUTs go. */
    public static final int PUT_PORTAL = 33;

    /** Where GETs go. */
    public static final int GET_PORTAL = 34;

    /** How many descriptors a node attaches. */
    public static final int DESCRIPTORS = 2;

    private Target() {}

    /**
     * Makes a node answer.
     *
     * @param life the node
     * @param content payloads
     * @param watchers are told of every event
     * @param seam as for {@link Client}
     */
    public static void serve(Life life, Content content, List<CallWatch> watchers, UnaryOperator<EventHandler> seam) {
        EventHandler handler = seam.apply(event -> {
            if (life.end() != Life.End.KILLED) {
                for (int i = 0; i < watchers.size(); i++) {
                    watchers.get(i).atTarget(life, event);
                }
            }
        });
        MdConfig puts = new MdConfig(
                List.of(content.sink()),
                MdConfig.UNLIMITED,
                0,
                Set.of(MdOption.OP_PUT, MdOption.MANAGE_REMOTE),
                false,
                handler,
                null,
                0);
        MdConfig gets = new MdConfig(
                List.of(content.source()),
                MdConfig.UNLIMITED,
                0,
                Set.of(MdOption.OP_GET, MdOption.MANAGE_REMOTE),
                false,
                handler,
                null,
                0);
        life.lnet().attach(MeConfig.any(PUT_PORTAL), puts);
        life.lnet().attach(MeConfig.any(GET_PORTAL), gets);
    }
}
