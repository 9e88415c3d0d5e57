package org.railyard.campaign.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.railyard.campaign.plan.CampaignPlan;
import org.railyard.campaign.work.RowColumn;
import org.railyard.campaign.work.Work;
import org.railyard.campaign.work.Works;

/**
 * Makes work with a case that something is wrong with.
 *
 * @param number the case
 * @param defect what is wrong
 * @param marker a file that tells that it has happened
 */
record Spoiled(long number, Defect defect, String marker) implements WorkMaker {
    private static final long serialVersionUID = 1L;

    /** What is wrong with the case. */
    enum Defect {
        /** It throws. */
        THROWS,
        /** It ends the process of its executor, the first time. */
        HALTS_ONCE,
        /** It ends the process of its executor each time. */
        HALTS
    }

    @Override
    public Work of(CampaignPlan plan) {
        return new SpoiledWork(Works.of(plan), this);
    }

    private void strike() {
        switch (defect) {
            case THROWS -> throw new AssertionError("spoiled");
            case HALTS_ONCE -> {
                try {
                    Files.createFile(Path.of(marker));
                    Runtime.getRuntime().halt(1);
                } catch (FileAlreadyExistsException e) {
                    // It has happened.
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            case HALTS -> Runtime.getRuntime().halt(1);
        }
    }

    private record SpoiledWork(Work whole, Spoiled by) implements Work {
        @Override
        public String title() {
            return whole.title();
        }

        @Override
        public long cases() {
            return whole.cases();
        }

        @Override
        public List<RowColumn> columns() {
            return whole.columns();
        }

        @Override
        public String goodVerdict() {
            return whole.goodVerdict();
        }

        @Override
        public Worker worker() {
            Worker worker = whole.worker();
            return each -> {
                if (each == by.number) {
                    by.strike();
                }
                return worker.run(each);
            };
        }

        @Override
        public String replay(long number, Path inputs) {
            return whole.replay(number, inputs);
        }
    }
}
