package org.railyard.ibverbs;

import org.railyard.verbs.Qp;
import org.railyard.verbs.WorkChain;

/** A queue pair that nothing is to be posted to. */
final class NoQp implements Qp {
    @Override
    public int number() {
        return 0;
    }

    @Override
    public State state() {
        return State.INIT;
    }

    @Override
    public int postSend(WorkChain chain) {
        return 0;
    }

    @Override
    public boolean postReceive(long id, long memory, int length, int key) {
        return false;
    }

    @Override
    public void modifyToError() {}

    @Override
    public void close() {}
}
