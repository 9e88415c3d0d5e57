package org.railyard.verbs;

/** What became of a work request. Used again and again. */
public final class Completion {
    /** What kind of request it was. */
    public enum Operation {
        /** A SEND. */
        SEND,
        /** An RDMA WRITE. */
        RDMA_WRITE,
        /** The registration of a region. */
        REGISTER,
        /** The invalidation of a region. */
        INVALIDATE,
        /** A receive. */
        RECEIVE;

        /** Tells whether bytes go to the peer. */
        public boolean isTransfer() {
            return this == SEND || this == RDMA_WRITE;
        }
    }

    private long id;
    private WorkStatus status = WorkStatus.SUCCESS;
    private Operation operation = Operation.SEND;
    private int bytes;
    private int qpNumber;
    private boolean undelivered;

    /** Makes one that says nothing yet. */
    public Completion() {}

    /** Makes some that say nothing yet. */
    public static Completion[] batch(int count) {
        Completion[] batch = new Completion[count];
        for (int i = 0; i < count; i++) {
            batch[i] = new Completion();
        }
        return batch;
    }

    /** Says something; for providers. */
    public void set(long newId, WorkStatus newStatus, Operation newOperation, int newBytes, int newQpNumber) {
        id = newId;
        // A reference costs more to write than to look at, and most say the same as the last time.
        if (status != newStatus) {
            status = newStatus;
        }
        if (operation != newOperation) {
            operation = newOperation;
        }
        bytes = newBytes;
        qpNumber = newQpNumber;
        undelivered = false;
    }

    /** Says what another one says; for providers. */
    public void set(Completion other) {
        set(other.id, other.status, other.operation, other.bytes, other.qpNumber);
        undelivered = other.undelivered;
    }

    /** Says that the last packet of a SEND never left the card; for providers that know. */
    public void setUndelivered() {
        undelivered = true;
    }

    /** Returns the number that the request was posted with. */
    public long id() {
        return id;
    }

    /** Returns how it ended. */
    public WorkStatus status() {
        return status;
    }

    /** Tells whether it ended well. */
    public boolean isSuccess() {
        return status == WorkStatus.SUCCESS;
    }

    /** Returns what kind of request it was; means something only if it ended well. */
    public Operation operation() {
        return operation;
    }

    /** Returns how many bytes came, of a receive that ended well. */
    public int bytes() {
        return bytes;
    }

    /** Returns the number of the queue pair. */
    public int qpNumber() {
        return qpNumber;
    }

    /**
     * Tells whether it is a SEND that failed and that the peer has certainly not got, because its last packet never
     * left the card. False also if the provider does not know.
     */
    public boolean isUndelivered() {
        return undelivered;
    }

    @Override
    public String toString() {
        return operation + " " + id + " " + status + ", " + bytes + " bytes";
    }
}
