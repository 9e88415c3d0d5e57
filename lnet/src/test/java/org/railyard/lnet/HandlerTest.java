package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.Event;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.Recorder;
import org.railyard.lnet.wire.MessageType;

/** What handlers may do, and what they can not break (spec 10 §3). */
class HandlerTest extends TwoNodes {
    private static final ProcessId SELF = ProcessId.of(Nid.LOOPBACK);

    private final Recorder at = new Recorder();
    private final Recorder from = new Recorder();

    @Test
    void aHandlerThatThrowsDisturbsNobody() {
        for (Throwable thrown : new Throwable[] {new IllegalStateException("boom"), new AssertionError("bang")}) {
            at.clear();
            at.then(event -> {
                if (event.kind() == EventKind.PUT) {
                    sneak(thrown);
                }
            });
            Md md = sink(BITS, 8, at);
            Recorder sent = new Recorder();
            put(source(8, sent), true);
            put(source(8, sent), true);
            assertThat(at.lines()).containsExactly("PUT", "PUT");
            assertThat(sent.lines()).containsExactly("SEND", "ACK", "SEND", "ACK");
            md.unlink();
            assertThat(at.lines()).endsWith("UNLINK!");
        }
    }

    private static void sneak(Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        throw (Error) thrown;
    }

    @Test
    void aHandlerMaySend() {
        Recorder answers = new Recorder();
        a.attach(
                MeConfig.of(PORTAL, 8),
                MdConfig.of(memory(8))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(answers));
        Md reply = b.bind(MdConfig.of(memory(4)));
        sink(BITS, 8, at.then(event -> {
            if (event.kind() == EventKind.PUT) {
                ProcessId back = new ProcessId(event.initiatorNid(), event.initiatorPid());
                b.put(reply, false, Nid.ANY, back, PORTAL, 8, 0, 0);
            }
        }));
        put(8, BITS, 0);
        assertThat(answers.lines()).containsExactly("PUT");
    }

    @Test
    void aChainOfThousandsOfSendsInHandlersDoesNotGrowTheStack() {
        int rounds = 20_000;
        AtomicInteger left = new AtomicInteger(rounds);
        Md[] out = new Md[1];
        out[0] = a.bind(MdConfig.of(memory(1)));
        AtomicInteger deepest = new AtomicInteger();
        a.attach(
                MeConfig.of(PORTAL, 5),
                MdConfig.of(memory(1))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(event -> {
                            deepest.accumulateAndGet(new Throwable().getStackTrace().length, Math::max);
                            if (left.decrementAndGet() > 0) {
                                a.put(out[0], true, Nid.ANY, SELF, PORTAL, 5, 0, 0);
                            }
                        }));
        int here = new Throwable().getStackTrace().length;
        a.put(out[0], true, Nid.ANY, SELF, PORTAL, 5, 0, 0);
        assertThat(left.get()).isZero();
        assertThat(deepest.get() - here).isLessThan(40);
    }

    @Test
    void manyFailuresInARowDoNotGrowTheStack() {
        int messages = 5000;
        net.hold(header -> header.type() == MessageType.PUT);
        Md md = source(8, from);
        for (int i = 0; i < messages; i++) {
            a.put(md, false, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        }
        net.settle();
        assertThat(peerNiOf(a).credits()).isEqualTo(8 - messages);
        md.unlink();
        net.releaseAll();
        assertThat(from.lines()).hasSize(messages).endsWith("SEND ETIMEDOUT!");
        assertThat(from.lines()).filteredOn(line -> line.endsWith("!")).hasSize(1);
    }

    /** Starts PUTs that are on the wire until they are given back; as many as there are credits. */
    private Md putsUnderWay(int count, Recorder events) {
        net.late().keep(packet -> true);
        Md md = source(8, events);
        for (int i = 0; i < count; i++) {
            a.put(md, false, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        }
        net.settle();
        return md;
    }

    @Test
    void whatIsGivenBackTogetherEndsTogether() {
        putsUnderWay(8, from);
        Runnable flush = net.late().giveBack(8);
        assertThat(from.lines()).isEmpty();
        assertThat(peerNiOf(a).credits()).isZero();
        flush.run();
        assertThat(from.lines()).hasSize(8).containsOnly("SEND");
        assertThat(from.events()).extracting(Event::sequence).isSorted();
        assertThat(peerNiOf(a).credits()).isEqualTo(8);
        flush.run();
        assertThat(from.lines()).hasSize(8);
    }

    @Test
    void whatWasGivenBackBeforeEndsBeforeWhatIsCompletedNow() {
        putsUnderWay(3, from);
        net.late().giveBack(2);
        assertThat(from.lines()).isEmpty();
        net.late().complete();
        assertThat(from.lines()).containsExactly("SEND", "SEND", "SEND");
        assertThat(from.events()).extracting(Event::sequence).isSorted();
    }

    @Test
    void descriptorIsUnlinkedByTheHandlerOfOneOfManyEvents() {
        Md md = putsUnderWay(8, from);
        from.then(event -> {
            if (from.events().size() == 4) {
                md.unlink();
            }
        });
        net.late().giveBack(8).run();
        assertThat(from.lines()).hasSize(9).endsWith("UNLINK!");
        assertThat(from.lines()).filteredOn(line -> line.equals("SEND")).hasSize(8);
    }

    @Test
    void aTransportWithoutMemoryFailsTheMessageAndHoldsNothing() {
        net.refuse(header -> {
            throw new OutOfMemoryError("planted");
        });
        Md out = a.bind(MdConfig.of(memory(1)).withHandler(from));
        a.put(out, false, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        assertThat(from.lines()).containsExactly("SEND EIO");
        net.refuse(header -> null);
        a.put(out, false, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        net.settle();
        assertThat(from.lines()).containsExactly("SEND EIO", "SEND");
    }

    @Test
    void whatAHandlerSendsLeavesBeforeTheNextOfManyEvents() {
        List<String> order = new ArrayList<>();
        putsUnderWay(8, from);
        net.refuse(header -> {
            order.add("send");
            return null;
        });
        Md out = a.bind(MdConfig.of(memory(1)));
        from.then(event -> {
            order.add("event");
            a.put(out, false, Nid.ANY, TO_B, PORTAL, BITS, 0, 0);
        });
        net.late().giveBack(8).run();
        assertThat(order).hasSize(16);
        for (int i = 0; i < order.size(); i++) {
            assertThat(order.get(i)).isEqualTo(i % 2 == 0 ? "event" : "send");
        }
    }

    @Test
    void acksAreNotHeldBackByABusyHandler() {
        AtomicInteger acked = new AtomicInteger();
        AtomicInteger before = new AtomicInteger();
        Md out = a.bind(MdConfig.of(memory(1)).withHandler(event -> {
            if (event.kind() == EventKind.ACK) {
                acked.incrementAndGet();
            }
        }));
        AtomicInteger left = new AtomicInteger(100);
        a.attach(
                MeConfig.of(PORTAL, 5),
                MdConfig.of(memory(1))
                        .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .withHandler(event -> {
                            // Whenever one is handled, the next one has come in already: the handler is never without
                            // work.
                            if (left.decrementAndGet() > 0) {
                                a.put(out, true, Nid.ANY, SELF, PORTAL, 5, 0, 0);
                                a.put(out, true, Nid.ANY, SELF, PORTAL, 5, 0, 0);
                            }
                            if (left.get() == 10) {
                                before.set(acked.get());
                            }
                        }));
        a.put(out, true, Nid.ANY, SELF, PORTAL, 5, 0, 0);
        assertThat(before.get()).isGreaterThan(20);
    }

    @Test
    void configurationCannotBeChangedFromAHandler() {
        List<Errno> refused = new ArrayList<>();
        Runnable[] calls = {
            a::close,
            () -> a.set(Tunable.DISCOVERY, 0),
            () -> a.removeNi(A),
            () -> a.addNi(NiRequest.ofNid(Nid.parse("10.0.5.1@tcp")))
        };
        Md md = a.bind(MdConfig.of(memory(1)).withHandler(event -> {
            for (Runnable call : calls) {
                try {
                    call.run();
                } catch (ErrnoException e) {
                    refused.add(e.errno());
                }
            }
        }));
        md.unlink();
        assertThat(refused).hasSize(calls.length).containsOnly(Errno.EBUSY);
        assertThat(a.nids()).containsExactly(A);
    }

    @Test
    void anEventKeptBeyondItsHandlerNeedsASnapshot() {
        List<Event> raw = new ArrayList<>();
        Md md = a.bind(MdConfig.of(memory(1)).withUserPtr("mine").withHandler(raw::add));
        sink(BITS, 8, at);
        put(md, false);
        assertThat(at.events().getFirst().md().length()).isEqualTo(8);
        assertThatThrownBy(() -> raw.getFirst().md()).isInstanceOf(IllegalStateException.class);
        assertThat(md.userPtr()).isEqualTo("mine");
    }
}
