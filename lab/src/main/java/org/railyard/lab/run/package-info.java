/**
 * Runs: a scenario with a seed becomes nodes, loads and faults in virtual time, and a result; many seeds become a
 * campaign.
 */
@NullMarked
package org.railyard.lab.run;

import org.jspecify.annotations.NullMarked;
