package org.railyard.cli.service;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The program that started this one as a service: systemd, where {@code NOTIFY_SOCKET} is set. */
public final class ServiceManager {
    private static final int SECONDS = 5;

    private ServiceManager() {}

    /**
     * Says that this program is ready, if it was started by one that waits for it. A failure is logged.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public static void tellReady() throws InterruptedException {
        if (System.getenv("NOTIFY_SOCKET") == null) {
            return;
        }
        try {
            Process told = new ProcessBuilder(
                            "systemd-notify",
                            "--ready",
                            "--pid=" + ProcessHandle.current().pid())
                    .inheritIO()
                    .start();
            if (!told.waitFor(SECONDS, TimeUnit.SECONDS)) {
                told.destroy();
            }
        } catch (IOException e) {
            System.getLogger("org.railyard.node")
                    .log(System.Logger.Level.WARNING, "systemd could not be told: {0}", e.getMessage());
        }
    }
}
