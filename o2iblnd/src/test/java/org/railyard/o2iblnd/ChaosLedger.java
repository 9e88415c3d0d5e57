package org.railyard.o2iblnd;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.railyard.conformance.TestMessage;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.softverbs.time.VirtualTime;

/**
 * All messages of a {@link ChaosRun}, and what must be true of them: each ends once, arrives at most once and as it was
 * sent; what its sender is told was delivered, was; what its sender is told certainly was not, was not.
 */
final class ChaosLedger {
    /** So long after a message ended for its sender, its receiver may look at it yet, ns. */
    private static final long LATEST_LOOK = ChaosRun.LONGEST_ANSWER + ChaosRun.LONGEST_FREEZE + IbWorld.SECOND;

    private final VirtualTime time;
    private final Map<Long, ChaosMessage> all = new LinkedHashMap<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    /** What transports have: messages, memory for PUTs and for REPLYs that come, REPLYs that go. */
    private final Map<LndMessage, ChaosMessage> sent = new IdentityHashMap<>();

    private final Map<LndMessage, ChaosMessage> arriving = new IdentityHashMap<>();
    private final Map<LndMessage, ChaosMessage> awaited = new IdentityHashMap<>();
    private final Map<LndMessage, ChaosMessage> answers = new IdentityHashMap<>();

    /** A stack threw away what had arrived from a peer, −1 for all: messages in between are lost. */
    private record Cut(int machine, int peer, long when) {}

    ChaosLedger(VirtualTime time) {
        this.time = time;
    }

    List<String> violations() {
        return violations;
    }

    void violation(String text) {
        violations.add(text);
    }

    ChaosMessage begin(int from, int to, boolean get, int length) {
        ChaosMessage made = new ChaosMessage(all.size() + 1L, from, to, get, length, time.now());
        all.put(made.bits(), made);
        return made;
    }

    void sending(LndMessage message, ChaosMessage about) {
        sent.put(message, about);
    }

    void storing(LndMessage into, ChaosMessage about) {
        arriving.put(into, about);
    }

    void awaiting(TestMessage reply, LndMessage get) {
        ChaosMessage about = Objects.requireNonNull(sent.get(get), "a GET that is not under way");
        about.reply = reply;
        awaited.put(reply, about);
    }

    void answering(LndMessage reply, ChaosMessage about) {
        answers.put(reply, about);
    }

    /** The transport did not take it. */
    void refused(LndMessage message, int status) {
        end(Objects.requireNonNull(sent.remove(message)), status, HealthStatus.LOCAL_DROPPED);
    }

    void cut(int machine, int peer) {
        cuts.add(new Cut(machine, peer, time.now()));
    }

    /** A header was shown to a stack; null if nobody sent it. */
    @Nullable
    ChaosMessage arrived(long bits, boolean get, int machine) {
        ChaosMessage message = all.get(bits);
        if (message == null || message.isGet() != get || message.to() != machine) {
            violation("machine " + machine + " gets " + (get ? "a GET " : "a PUT ") + bits + " that nobody sent to it");
            return null;
        }
        message.arrivals++;
        if (message.arrivals > 1) {
            violation(message + " arrived twice");
        }
        return message;
    }

    void replyLength(LndMessage reply, int length) {
        Objects.requireNonNull(awaited.get(reply), "a REPLY that is not awaited").replyLength = length;
    }

    /** A transport is done with a message. */
    void completed(LndMessage message, int status, HealthStatus health) {
        if ((health == HealthStatus.OK) != (status == 0)) {
            violation("status " + status + " with " + health + " of " + message.header());
        }
        ChaosMessage own = sent.remove(message);
        ChaosMessage put = arriving.remove(message);
        ChaosMessage got = awaited.remove(message);
        if (own != null) {
            end(own, status, health);
        } else if (put != null) {
            put.stored = status == 0;
            if (status == 0) {
                compare(put, message.fragments()[0], message.payloadLength());
            }
        } else if (got != null) {
            got.replyStored = status == 0;
        } else if (answers.remove(message) == null) {
            violation("the end of a message that is not under way: " + message.header());
        }
    }

    private void end(ChaosMessage message, int status, HealthStatus health) {
        message.ended = time.now();
        message.status = status;
        message.health = health;
    }

    private void compare(ChaosMessage message, ByteBuffer bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes.get(i) != TestMessage.pattern(message.bits(), i)) {
                violation(message + " has other contents from byte " + i + " on");
                return;
            }
        }
    }

    /** Tells whether no message is under way. */
    boolean isOver() {
        return sent.isEmpty() && arriving.isEmpty() && awaited.isEmpty() && answers.isEmpty();
    }

    /** All messages have had the time that they may take: none is under way. */
    void checkAllAreOver() {
        sent.values().forEach(each -> violation(each + " has not ended"));
        arriving.values().forEach(each -> violation(each + " has arrived and was not stored"));
        awaited.values().forEach(each -> violation("the REPLY to " + each + " has not ended"));
        answers.values().forEach(each -> violation("the answer to " + each + " has not ended"));
    }

    /** What senders were told is true. */
    void checkOutcomes() {
        for (ChaosMessage each : all.values()) {
            boolean surelyDropped =
                    each.health == HealthStatus.LOCAL_DROPPED || each.health == HealthStatus.LOCAL_ABORTED;
            if (surelyDropped && each.arrivals > 0) {
                violation(each + " arrived, its sender was told " + each.health);
            }
            if (each.isDelivered() && each.isGet()) {
                checkReply(each);
            } else if (each.isDelivered() && !each.stored && !wasCut(each)) {
                violation(
                        each + " is lost (" + each.arrivals + " arrivals), its sender was told that it was delivered");
            }
        }
    }

    private void checkReply(ChaosMessage get) {
        if (!get.replyStored || get.replyLength != get.replied) {
            violation(get + " was answered with " + get.replied + " bytes, its sender was told of " + get.replyLength
                    + (get.replyStored ? "" : ", and that they did not come"));
        } else {
            compare(get, Objects.requireNonNull(get.reply).fragments()[0], get.replyLength);
        }
    }

    private boolean wasCut(ChaosMessage put) {
        return cuts.stream()
                .anyMatch(cut -> cut.machine == put.to()
                        && (cut.peer < 0 || cut.peer == put.from())
                        && cut.when >= put.begun()
                        && cut.when <= put.ended + LATEST_LOOK);
    }

    /** Whatever was sent since some time was delivered. */
    void checkDelivered(long since) {
        for (ChaosMessage each : all.values()) {
            if (each.begun() >= since && !each.isDelivered()) {
                violation(each + " ended with " + each.status + " " + each.health + " though all is whole");
            }
        }
    }

    /** Returns how many messages were sent between two machines since some time. */
    long count(int from, int to, long since) {
        return all.values().stream()
                .filter(each -> each.from() == from && each.to() == to && each.begun() >= since)
                .count();
    }
}
