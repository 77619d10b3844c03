//! The scripts that make a decision and act on it in one step. Redis runs each without interruption.
//!
//! Sent as text every time: they are shorter than the round trip for "unknown script", which a
//! restarted Redis would cause, and Redis caches the compiled form by content anyway.

use std::time::Duration;

use ::redis::{Cmd, cmd};
use domain::{
    id::InstanceId,
    lease::{LeaseKey, RateKey},
    limits::INSTANCES_MAX,
};

use crate::coordination::life;

/// Sorted set of announced instances, scored by the millisecond (of Redis's clock) they expire.
/// Scanning for `instance:*` instead would walk every lease and window.
const INSTANCES: &str = "instances";

const ACQUIRE: &str = "
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return {'acquired', ''} end
local held_by = redis.call('GET', KEYS[1])
if held_by ~= ARGV[1] then return {'held', held_by} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'renewed', ''}";

pub(super) fn acquire(key: LeaseKey, holder: InstanceId, ttl: Duration) -> Cmd {
    let mut command = eval(ACQUIRE, &[key.to_string()]);
    command.arg(holder.to_string()).arg(millis(ttl));
    command
}

const RENEW: &str = "
local held_by = redis.call('GET', KEYS[1])
if held_by ~= ARGV[1] then return {'lost', held_by or ''} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'renewed', ''}";

pub(super) fn renew(key: LeaseKey, holder: InstanceId, ttl: Duration) -> Cmd {
    let mut command = eval(RENEW, &[key.to_string()]);
    command.arg(holder.to_string()).arg(millis(ttl));
    command
}

const RELEASE: &str = "
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])";

pub(super) fn release(key: LeaseKey, holder: InstanceId) -> Cmd {
    let mut command = eval(RELEASE, &[key.to_string()]);
    command.arg(holder.to_string());
    command
}

/// A counter without an expiry (written by hand, or restored) gets one: it would refuse forever.
const HIT: &str = "
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}";

pub(super) fn hit(key: RateKey, window: Duration) -> Cmd {
    let mut command = eval(HIT, &[key.to_string()]);
    command.arg(millis(window));
    command
}

const ANNOUNCE: &str = "
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
return 1";

pub(super) fn announce(id: InstanceId, record: &str, ttl: Duration) -> Cmd {
    let mut command = eval(ANNOUNCE, &[instance_key(id), INSTANCES.to_owned()]);
    command.arg(id.to_string()).arg(record).arg(millis(ttl));
    command
}

const WITHDRAW: &str = "
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[1])";

pub(super) fn withdraw(id: InstanceId) -> Cmd {
    let mut command = eval(WITHDRAW, &[instance_key(id), INSTANCES.to_owned()]);
    command.arg(id.to_string());
    command
}

/// Expired instances are removed from the index here, so that it stays as small as the fleet. One
/// more than the limit is requested: it shows that there are more.
const LIST: &str = "
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZRANGE', KEYS[1], 0, ARGV[1])";

pub(super) fn list() -> Cmd {
    let mut command = eval(LIST, &[INSTANCES.to_owned()]);
    command.arg(INSTANCES_MAX);
    command
}

pub(super) fn instance_key(id: impl std::fmt::Display) -> String {
    format!("instance:{id}")
}

fn eval(script: &str, keys: &[String]) -> Cmd {
    let mut command = cmd("EVAL");
    command.arg(script).arg(keys.len()).arg(keys);
    command
}

fn millis(wanted: Duration) -> u64 {
    u64::try_from(life(wanted).as_millis()).unwrap_or(u64::MAX)
}
