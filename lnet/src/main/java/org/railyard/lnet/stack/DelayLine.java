package org.railyard.lnet.stack;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.StateLock;
import org.railyard.lnet.fault.ActiveRule;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;

/** The messages that delay rules hold up, in a queue for each rule. */
final class DelayLine {
    /** Most messages that are held up at a time; further ones pass. */
    static final int MAX_HELD = 65_536;

    /**
     * A message that is held up.
     *
     * @param message the message
     * @param source where its payload comes from, null if it is being sent
     * @param length payload that arrives with it, bytes
     * @param due when it goes on, monotonic ns
     */
    record Held(Message message, @Nullable LndReceiver source, int length, long due) {}

    private final Map<ActiveRule, ArrayDeque<Held>> lines = new LinkedHashMap<>();
    private final StateLock lock;
    private int size;

    DelayLine(StateLock lock) {
        this.lock = lock;
    }

    boolean isFull() {
        lock.assertHeld();
        return size >= MAX_HELD;
    }

    void add(ActiveRule rule, Held held) {
        lock.assertHeld();
        lines.computeIfAbsent(rule, any -> new ArrayDeque<>()).add(held);
        size++;
    }

    /** Removes and returns what is due, rule by rule, oldest first. */
    List<Held> takeDue(long now) {
        lock.assertHeld();
        if (size == 0) {
            return List.of();
        }
        List<Held> due = new ArrayList<>();
        Iterator<ArrayDeque<Held>> each = lines.values().iterator();
        while (each.hasNext()) {
            ArrayDeque<Held> line = each.next();
            while (!line.isEmpty() && line.getFirst().due() - now <= 0) {
                due.add(line.removeFirst());
            }
            if (line.isEmpty()) {
                each.remove();
            }
        }
        size -= due.size();
        return due;
    }

    /** Removes and returns what some rules hold, oldest first. */
    List<Held> takeOf(Collection<ActiveRule> rules) {
        lock.assertHeld();
        List<Held> taken = new ArrayList<>();
        for (ActiveRule rule : rules) {
            ArrayDeque<Held> line = lines.remove(rule);
            if (line != null) {
                taken.addAll(line);
            }
        }
        size -= taken.size();
        return taken;
    }

    /** Removes and returns what is held on an NI. */
    List<Held> takeOf(LocalNi ni) {
        lock.assertHeld();
        List<Held> taken = new ArrayList<>();
        for (ArrayDeque<Held> line : lines.values()) {
            // In one pass: the lock is held.
            line.removeIf(held -> held.message().ni() == ni && taken.add(held));
        }
        lines.values().removeIf(ArrayDeque::isEmpty);
        size -= taken.size();
        return taken;
    }

    /** Returns the earliest of {@code latest} and what is due. */
    long nextDue(long latest) {
        lock.assertHeld();
        if (size == 0) {
            return latest;
        }
        long next = latest;
        for (ArrayDeque<Held> line : lines.values()) {
            if (!line.isEmpty() && line.getFirst().due() - next < 0) {
                next = line.getFirst().due();
            }
        }
        return next;
    }
}
