package org.railyard.lab.run;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.wire.Wire;
import org.railyard.conformance.TestMessage;
import org.railyard.lab.payload.PayloadPattern;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventHandler;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/** Defects to put into a run, each done to one message or event, some time into the run. */
final class Defects {
    private static final int SOME_TIME = 50;

    private Defects() {}

    /** Counts, and says once when it is time. */
    abstract static class Once implements Interposer {
        private int seen;

        boolean isTime() {
            return ++seen == SOME_TIME;
        }
    }

    /** One that is to be seen where references stand for bytes. */
    abstract static class OnceWithReferences extends Once {
        @Override
        public boolean needsBytes() {
            return false;
        }
    }

    private static boolean isCall(LNetHeader header, MessageType type) {
        return header.type() == type && (type == MessageType.REPLY || header.portal() != Wire.RESERVED_PORTAL);
    }

    /** The stack is not told that an ACK has left: its credits do not come back. */
    static final class LostCompletion extends Once {
        @Override
        public LndProvider aboveWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    if (message.header().type() != MessageType.ACK || !isTime()) {
                        stack.complete(message, status, health);
                    }
                }
            };
        }
    }

    /** A router is not told that what it passed on has left: its buffer does not come back. */
    static final class LostForward extends Once {
        private @Nullable LndMessage lost;

        @Override
        public LndProvider aboveWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                int send(Lnd inner, LndNi ni, LndMessage message) {
                    boolean forwarded = !message.header().srcNid().isOnNetOf(ni.nid());
                    if (forwarded && message.payloadLength() > 0 && isTime()) {
                        lost = message;
                    }
                    return inner.send(ni, message);
                }

                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    if (message != lost) {
                        stack.complete(message, status, health);
                    }
                }
            };
        }
    }

    /** The LND gives a message back twice. */
    static final class DoubleCompletion extends Once {
        @Override
        public LndProvider belowWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    stack.complete(message, status, health);
                    if (isTime()) {
                        stack.complete(message, status, health);
                    }
                }
            };
        }
    }

    /** The LND says that it failed, and that it did not. */
    static final class FalseHealth extends Once {
        @Override
        public LndProvider belowWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    stack.complete(message, status, isTime() ? HealthStatus.NETWORK_TIMEOUT : health);
                }
            };
        }
    }

    /** The LND says of each failure that its own side is to blame. */
    static final class BlamedSelf implements Interposer {
        @Override
        public LndProvider belowWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    stack.complete(message, status, health == HealthStatus.OK ? health : HealthStatus.LOCAL_ERROR);
                }
            };
        }
    }

    /** A request is handed to the LND a second time when its call is long over. */
    static final class LateSend extends Once {
        private @Nullable LndMessage held;

        @Override
        public LndProvider aboveWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                int send(Lnd inner, LndNi ni, LndMessage message) {
                    LndMessage late = held;
                    if (late == null && isCall(message.header(), MessageType.PUT) && isTime()) {
                        held = TestMessage.like(message);
                    } else if (late != null && message.header().type() == MessageType.GET && isLater()) {
                        inner.send(ni, late);
                    }
                    return inner.send(ni, message);
                }
            };
        }

        private int later;

        private boolean isLater() {
            return ++later == SOME_TIME;
        }
    }

    /** The stack believes that large PUTs have left, while the LND still has them. */
    static final class EarlyReturn implements Interposer {
        /** Smaller ones are copied by the LND. */
        private static final int LARGE = 16 << 10;

        @Override
        public LndProvider aboveWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                private @Nullable LndUpcalls above;

                @Override
                public Lnd create(LndUpcalls stack, Host host) {
                    above = stack;
                    return super.create(stack, host);
                }

                @Override
                int send(Lnd inner, LndNi ni, LndMessage message) {
                    LndUpcalls stack = above;
                    if (stack == null
                            || !isCall(message.header(), MessageType.PUT)
                            || message.payloadLength() < LARGE) {
                        return inner.send(ni, message);
                    }
                    int status = inner.send(ni, TestMessage.like(message));
                    stack.complete(message, 0, HealthStatus.OK);
                    return status;
                }

                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    if (!(message instanceof TestMessage)) {
                        stack.complete(message, status, health);
                    }
                }
            };
        }
    }

    /** A handler is not told of an event that is its last. */
    static final class LostEvent extends Once {
        @Override
        public EventHandler handler(EventHandler handler) {
            return event -> {
                if (!isInitiators(event) || !event.unlinked() || !isTime()) {
                    handler.onEvent(event);
                }
            };
        }
    }

    /** A handler is told of its last event twice. */
    static final class TwiceTheEvent extends Once {
        @Override
        public EventHandler handler(EventHandler handler) {
            return event -> {
                handler.onEvent(event);
                if (isInitiators(event) && event.unlinked() && isTime()) {
                    handler.onEvent(event);
                }
            };
        }
    }

    /** A call ends with the SEND. */
    static final class LostAck extends Once {
        @Override
        public EventHandler handler(EventHandler handler) {
            return event -> handler.onEvent(
                    event.kind() == EventKind.SEND && !event.unlinked() && isTime()
                            ? new LastEvent(event.snapshot(), EventKind.SEND)
                            : event);
        }
    }

    /** A call ends without its answer before its time. */
    static final class EarlyUnlink extends Once {
        @Override
        public EventHandler handler(EventHandler handler) {
            return event -> handler.onEvent(
                    isInitiators(event) && isTime() ? new LastEvent(event.snapshot(), EventKind.UNLINK) : event);
        }
    }

    private static boolean isInitiators(Event event) {
        return event.kind() == EventKind.ACK || event.kind() == EventKind.REPLY;
    }

    /** The LND hands a PUT over twice. */
    static final class DuplicateDelivery extends Once {
        @Override
        public LndProvider belowWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                int parse(LndUpcalls stack, LndNi ni, LNetHeader header, Nid from, int pid, LndReceiver receiver) {
                    int status = stack.parse(ni, header, from, pid, receiver);
                    if (isCall(header, MessageType.PUT) && isTime()) {
                        stack.parse(ni, header, from, pid, (message, mlen, rlen) -> {
                            if (message != null) {
                                stack.complete(message, 0, HealthStatus.OK);
                            }
                        });
                    }
                    return status;
                }
            };
        }
    }

    /** The LND hands something over that the watch does not see. */
    static final class UntoldArrival extends Once {
        @Override
        public LndProvider aboveWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                int parse(LndUpcalls stack, LndNi ni, LNetHeader header, Nid from, int pid, LndReceiver receiver) {
                    if (isCall(header, MessageType.GET) && isTime()) {
                        stack.parse(ni, header, from, pid, (message, mlen, rlen) -> {});
                    }
                    return stack.parse(ni, header, from, pid, receiver);
                }
            };
        }
    }

    /** The stack sends other bytes than those of the descriptor. */
    static final class OtherStretch extends OnceWithReferences {
        @Override
        public LndProvider aboveWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                int send(Lnd inner, LndNi ni, LndMessage message) {
                    int length = message.payloadLength();
                    if (isCall(message.header(), MessageType.PUT) && length >= 1024 && isTime()) {
                        message.fragments()[0] =
                                PayloadPattern.memory().asSlice(0, length).asByteBuffer();
                    }
                    return inner.send(ni, message);
                }
            };
        }
    }

    /** The stack has a PUT stored elsewhere than where it says. */
    static final class OtherPlace extends OnceWithReferences {
        @Override
        public LndProvider aboveWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                int parse(LndUpcalls stack, LndNi ni, LNetHeader header, Nid from, int pid, LndReceiver receiver) {
                    return stack.parse(ni, header, from, pid, (message, mlen, rlen) -> {
                        if (message != null && isCall(header, MessageType.PUT) && mlen >= 1024 && isTime()) {
                            message.fragments()[0] = ByteBuffer.allocateDirect(mlen);
                        }
                        receiver.receive(message, mlen, rlen);
                    });
                }
            };
        }
    }

    /** The LND stores two bytes of a REPLY or PUT in the wrong order. */
    static final class SwappedBytes extends Once {
        @Override
        public LndProvider belowWatch(LndProvider lnd) {
            return new BentLnd(lnd) {
                @Override
                void complete(LndUpcalls stack, LndMessage message, int status, HealthStatus health) {
                    boolean received = message.fragmentCount() > 0
                            && message.header().type() == MessageType.REPLY
                            && message.payloadLength() >= 1024;
                    if (received && isTime()) {
                        swap(message.fragments()[0]);
                    }
                    stack.complete(message, status, health);
                }
            };
        }

        private static void swap(ByteBuffer fragment) {
            if (!fragment.isReadOnly()) {
                byte first = fragment.get(0);
                fragment.put(0, (byte) (first + 1));
            }
        }

        /** Only what is received can be changed; what is sent is not the LND's. */
        @Override
        boolean isTime() {
            return true;
        }
    }
}
