# shellcheck shell=bash
# Two machines on one, for scripts to include: two network namespaces of Linux with a wire between them, over which
# alone they can talk. It takes root, iproute2 and Open MPI. `remove_hosts` must be called however the script ends.

host_a=gradual-a-$$ host_b=gradual-b-$$

# make_hosts <folder for a file>; where that is not possible, it prints a reason and fails.
make_hosts() {
  launcher=$(cd "$1" && pwd)/launch_on_b
  local tool
  for tool in ip mpirun unshare; do
    command -v "$tool" >/dev/null || { echo "there is no $tool here"; return 1; }
  done
  if ! { ip netns add "$host_a" && ip netns add "$host_b"; } 2>/dev/null; then
    echo "there are no rights to make network namespaces"
    return 1
  fi
  if ! ip link add wire netns "$host_a" type veth peer name wire netns "$host_b" 2>/dev/null; then
    echo "there are no virtual wires (veth) in this system"
    return 1
  fi
  ip -n "$host_a" addr add 10.77.0.1/24 dev wire
  ip -n "$host_b" addr add 10.77.0.2/24 dev wire
  local host
  for host in "$host_a" "$host_b"; do
    ip -n "$host" link set lo up
    ip -n "$host" link set wire up
  done
  # What mpirun calls in place of ssh: launch_on_b <address> <command…>
  printf '#!/bin/sh\nshift\nexec ip netns exec %s unshare --uts sh -c "hostname host-b; $*"\n' "$host_b" >"$launcher"
  chmod +x "$launcher"
}

# on_two_hosts <program and arguments>: a process on each. They notice within six seconds that the wire is cut.
on_two_hosts() {
  # shellcheck disable=SC2016  # the inner shell's "$@"
  ip netns exec "$host_a" unshare --uts sh -c 'hostname host-a; exec "$@"' sh \
    mpirun --allow-run-as-root -np 2 --host 10.77.0.1,10.77.0.2 --bind-to none --mca plm_rsh_agent "$launcher" \
    --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
    --mca oob_tcp_keepalive_time 3 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 "$@"
}

# The processes of a program on a host: pids_on <host> <program>
pids_on() {
  local pid
  for pid in $(ip netns pids "$1"); do
    if [ "$(readlink "/proc/$pid/exe")" = "$(realpath "$2")" ]; then echo "$pid"; fi
  done
}

cut_wire() { ip -n "$host_a" link set wire down; }
mend_wire() { ip -n "$host_a" link set wire up; }

# limit_wire <rate>, such as 1gbit, in both directions
limit_wire() {
  local host
  for host in "$host_a" "$host_b"; do
    ip netns exec "$host" tc qdisc replace dev wire root tbf rate "$1" burst 128kb latency 50ms
  done
}

# Ends what still runs there, too.
remove_hosts() {
  local host
  for host in "$host_a" "$host_b"; do
    ip netns pids "$host" 2>/dev/null | xargs -r kill -KILL 2>/dev/null || true
    ip netns del "$host" 2>/dev/null || true
  done
}
