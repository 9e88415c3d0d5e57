package org.railyard.conformance.verbs.chaos;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import org.railyard.verbs.Access;
import org.railyard.verbs.ArenaRegion;
import org.railyard.verbs.Pd;

/**
 * The memory of an end: slots that the peer writes into, one for each message under way, then slots of receives, then
 * bytes that nobody may touch. A message says who sent it, its number, and how much was written for it before.
 */
final class ChaosMemory {
    /** Slots of each kind. */
    static final int SLOTS = 32;

    /** Size of a slot, and the longest message, bytes. */
    static final int SLOT = 6000;

    /** Shortest message, bytes. */
    static final int HEAD = 3 * Long.BYTES;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long HALF = (long) SLOTS * SLOT;
    private static final int GUARD = 512;
    private static final byte UNTOUCHED = 0x55;

    private final MemorySegment bytes;
    private final ArenaRegion sink;
    private final ArenaRegion receives;

    ChaosMemory(Arena arena, Pd pd) {
        bytes = arena.allocate(2 * HALF + GUARD);
        bytes.fill(UNTOUCHED);
        sink = pd.registerArena(bytes.asSlice(0, HALF), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        receives = pd.registerArena(bytes.asSlice(HALF, HALF), Access.LOCAL_WRITE);
    }

    /** Returns what peers may write to. */
    ArenaRegion sink() {
        return sink;
    }

    /** Returns what messages are received into, and peers may not write to. */
    ArenaRegion receives() {
        return receives;
    }

    private static long place(long number) {
        return number % SLOTS * SLOT;
    }

    long sinkAddress(long message) {
        return sink.addressOf(place(message));
    }

    long receiveAddress(long id) {
        return receives.addressOf(place(id));
    }

    /** Returns memory with a message, behind the data that is written for it. */
    static MemorySegment message(Arena arena, long sender, long number, int written, int length) {
        MemorySegment made = arena.allocate((long) written + length);
        for (int i = 0; i < written; i++) {
            made.set(ValueLayout.JAVA_BYTE, i, writtenByte(number, i));
        }
        for (int i = HEAD; i < length; i++) {
            made.set(ValueLayout.JAVA_BYTE, (long) written + i, messageByte(number, i));
        }
        made.set(WORD, written, sender);
        made.set(WORD, (long) written + Long.BYTES, number);
        made.set(WORD, written + 2L * Long.BYTES, written);
        return made;
    }

    private static byte writtenByte(long number, int i) {
        return (byte) (number * 3 + i);
    }

    private static byte messageByte(long number, int i) {
        return (byte) (number * 7 + i);
    }

    /** Makes one byte of what arrived another one. */
    void spoil(long id) {
        long at = HALF + place(id) + HEAD;
        bytes.set(ValueLayout.JAVA_BYTE, at, (byte) ~bytes.get(ValueLayout.JAVA_BYTE, at));
    }

    long sender(long id) {
        return bytes.get(WORD, HALF + place(id));
    }

    long number(long id) {
        return bytes.get(WORD, HALF + place(id) + Long.BYTES);
    }

    /** Tells what is wrong with a message that arrived, and with what was written for it. */
    Optional<String> fault(long id, int length) {
        long at = HALF + place(id);
        long number = number(id);
        for (int i = HEAD; i < length; i++) {
            if (bytes.get(ValueLayout.JAVA_BYTE, at + i) != messageByte(number, i)) {
                return Optional.of("message " + number + " is spoilt at " + i);
            }
        }
        long written = bytes.get(WORD, at + 2L * Long.BYTES);
        for (int i = 0; i < written; i++) {
            if (bytes.get(ValueLayout.JAVA_BYTE, place(number) + i) != writtenByte(number, i)) {
                return Optional.of("what was written for message " + number + " is not there at " + i);
            }
        }
        return Optional.empty();
    }

    /** Tells whether something was written where nobody may write. */
    boolean isOverrun() {
        return bytes.asSlice(2 * HALF).mismatch(MemorySegment.ofArray(guard())) >= 0;
    }

    private static byte[] guard() {
        byte[] guard = new byte[GUARD];
        Arrays.fill(guard, UNTOUCHED);
        return guard;
    }
}
