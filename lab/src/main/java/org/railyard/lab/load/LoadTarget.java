package org.railyard.lab.load;

import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;
import org.railyard.base.wire.Wire;
import org.railyard.lab.observe.CallWatch;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;

/** The side of an application that is asked: takes all PUTs on one portal and answers all GETs on another. */
public final class LoadTarget {
    /** Where PUTs go. */
    public static final int PUT_PORTAL = 33;

    /** Where GETs go. */
    public static final int GET_PORTAL = 34;

    /** Request buffers of a node whose cards write into them, as many at a time. */
    private static final int BUFFERS = 2;

    /** Size of a request buffer, bytes: it takes requests until less than the largest fits in. */
    private static final int BUFFER_BYTES = 8 * Wire.MTU;

    private final NodeRun life;
    private final Content content;
    private final EventHandler handler;

    private LoadTarget(NodeRun life, Content content, CallWatch watch, UnaryOperator<EventHandler> interposer) {
        this.life = life;
        this.content = content;
        this.handler = interposer.apply(event -> {
            if (life.end() != NodeRun.End.KILLED) {
                watch.atTarget(life, event);
                if (event.unlinked() && life.goesOn()) {
                    content.giveBack(event.md().memory().getFirst());
                    attachBuffer();
                }
            }
        });
    }

    /**
     * Makes a node answer.
     *
     * @param life the node
     * @param content payloads
     * @param watch is told of every event
     * @param interposer as for {@link Client}
     */
    public static void serve(NodeRun life, Content content, CallWatch watch, UnaryOperator<EventHandler> interposer) {
        LoadTarget target = new LoadTarget(life, content, watch, interposer);
        if (life.machine().cards() == null) {
            target.attach(PUT_PORTAL, content.sink(), MdOption.OP_PUT);
        } else {
            for (int i = 0; i < BUFFERS; i++) {
                target.attachBuffer();
            }
        }
        target.attach(GET_PORTAL, content.source(), MdOption.OP_GET);
    }

    private void attach(int portal, MemorySegment memory, MdOption operation) {
        life.lnet()
                .attach(
                        MeConfig.any(portal),
                        MdConfig.of(memory)
                                .withOptions(operation, MdOption.MANAGE_REMOTE)
                                .withHandler(handler));
        life.attached();
    }

    /** Attaches memory for requests that cards write side by side; it goes when it is full, and another comes. */
    private void attachBuffer() {
        life.lnet()
                .attach(
                        MeConfig.any(PUT_PORTAL),
                        MdConfig.of(content.take(BUFFER_BYTES))
                                .withOptions(MdOption.OP_PUT)
                                .withMaxSize(Wire.MTU)
                                .withAutoUnlink()
                                .withHandler(handler));
        life.attached();
    }
}
