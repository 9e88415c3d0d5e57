package org.railyard.lnet.runtime;

import org.railyard.base.host.Worker;

/** Wakes the discovery worker once there is one. */
final class WakeUp implements Runnable {
    private volatile Worker[] workers = {};

    void connect(Worker worker) {
        workers = new Worker[] {worker};
    }

    @Override
    public void run() {
        for (Worker worker : workers) {
            worker.wake();
        }
    }
}
