package org.railyard.sm.sa;

import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.SaHeader;

/**
 * Collects those records of a table that a request asks for.
 *
 * @param <T> the record
 */
final class Matcher<T extends BitStruct<T>> {
    private final AttributeType<T> type;
    private final T asked;
    private long mask;
    private final RecordBuffer records;

    Matcher(AttributeType<T> type, Mad request, int maxBytes) {
        this(type, request.data(type), request.saHeader().get(SaHeader.COMPONENT_MASK), maxBytes);
    }

    /** Takes the mask from elsewhere: components that another comparison has seen to are not in it. */
    Matcher(AttributeType<T> type, T asked, long mask, int maxBytes) {
        this.type = type;
        this.asked = asked;
        this.mask = mask;
        this.records = new RecordBuffer(maxBytes);
    }

    T asked() {
        return asked;
    }

    /** Tells whether a component is asked for. */
    boolean asks(long component) {
        return (mask & component) != 0;
    }

    /** Leaves a component out of the comparison from now on: the caller has seen to it. */
    void settle(long component) {
        mask &= ~component;
    }

    /** Takes a record, whose bytes stay the caller's, if it is one that is asked for. */
    void offer(T record) {
        offer(record, 0);
    }

    /** The same where some components that are asked for do not count. */
    void offer(T record, long ignored) {
        if (record.matches(asked, mask & ~ignored)) {
            records.next(type).setAll(record);
        }
    }

    /** Tells whether there are more than an answer may have. */
    boolean isFull() {
        return records.isOverflowed();
    }

    Mad answer(Mad request) {
        return records.answer(request, type);
    }
}
