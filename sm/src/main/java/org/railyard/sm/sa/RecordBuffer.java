package org.railyard.sm.sa;

import java.util.Arrays;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;

/** The records of one answer, one behind the other, up to a limit. */
final class RecordBuffer {
    private static final int FIRST = 1024;

    private final int maxBytes;
    private byte[] bytes = new byte[FIRST];
    private int size;
    private int count;
    private boolean overflowed;

    RecordBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Returns a new record, all 0, that belongs to the answer; beyond the limit one that does not, and the answer will
     * be a refusal.
     */
    <T extends BitStruct<T>> T next(AttributeType<T> type) {
        int step = type.recordSize();
        if (size + step > maxBytes) {
            overflowed = true;
            return type.create();
        }
        if (size + step > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + step, Math.min(maxBytes, 2 * bytes.length)));
        }
        T record = type.over().over(bytes, size);
        size += step;
        count++;
        return record;
    }

    /** Makes the answer a refusal: it would take too much to find all records. */
    void refuse() {
        overflowed = true;
    }

    /** Tells whether there was more than the limit allows: looking for further records is of no use. */
    boolean isOverflowed() {
        return overflowed;
    }

    /** Makes the answer: to a Get one record, to other methods any number (spec 40 §4). */
    Mad answer(Mad request, AttributeType<?> type) {
        boolean one = request.is(MadMethod.GET, false);
        if (overflowed) {
            return request.answer(one ? MadStatus.SA_TOO_MANY : MadStatus.SA_NO_RESOURCES, 0);
        }
        if (one && count != 1) {
            return request.answer(count == 0 ? MadStatus.SA_NO_RECORDS : MadStatus.SA_TOO_MANY, 0);
        }
        Mad answer = request.answer(MadStatus.OK, size);
        System.arraycopy(bytes, 0, answer.bytes(), Mad.SA_DATA, size);
        answer.saHeader().set(SaHeader.ATTRIBUTE_OFFSET, count == 0 ? 0 : type.attributeOffset());
        return answer;
    }
}
