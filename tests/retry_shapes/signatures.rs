//! Where a function stands, and what its signature says.

use std::cell::Cell;
use std::fmt::{Debug, Display};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use retry_plan::retry;

use crate::table::{Flaky, table};

table! {
    spawned a_free_function: async |flaky| free(&flaky).await.is_ok();
    spawned a_function_of_another_module: async |flaky| inner::visible(&flaky).await.is_ok();
    spawned a_method_that_borrows: async |flaky| Client::of(flaky).shared(10).await.is_ok();
    spawned a_method_that_mutates: async |flaky| Client::of(flaky).exclusive().await.is_ok();
    spawned a_method_that_owns: async |flaky| Client::of(flaky).owned("four".to_owned()).await.is_ok();
    spawned a_method_that_gives_itself_away: async |flaky| Client::of(flaky).given_away().await.is_ok();
    spawned a_method_of_a_shared_pointer: async |flaky| Arc::new(Client::of(flaky)).pointed().await.is_ok();
    spawned a_method_of_a_pinned_reference: async |flaky| Pin::new(&mut Client::of(flaky)).pinned().await.is_ok();
    awaited a_method_of_a_pointer_that_stays: async |flaky| Rc::new(Client::of(flaky)).local().await.is_ok();
    spawned an_associated_function: async |flaky| Client::associated(&flaky).await.is_ok();
    spawned a_trait_method: async |flaky| Fetch::fetch(&Client::of(flaky), 10).await.is_ok();
    spawned a_trait_method_by_default: async |flaky| Client::of(flaky).fetch_twice().await.is_ok();
    spawned an_async_trait_method: async |flaky| boxed(Client::of(flaky)).load(10).await.is_ok();
    spawned an_async_trait_method_that_mutates: async |flaky| boxed(Client::of(flaky)).store(vec![1]).await.is_ok();
    spawned an_async_trait_method_by_default: async |flaky| boxed(Client::of(flaky)).twice().await.is_ok();
    awaited an_async_trait_method_that_stays: async |flaky| Client::of(flaky).beside(&Cell::new(1)).await.is_ok();
    spawned a_generic_function: async |flaky| generic(&flaky, &[1_u8, 2], &"three").await.is_ok();
    spawned a_function_with_const_parameters: async |flaky| counted::<2>(&flaky, [0; 2]).await.is_ok();
    spawned a_function_with_lifetimes: async |flaky| longer(&flaky, "one", "three").await.is_ok();
    spawned a_generic_method: async |flaky| Of(7).generic(&flaky, "seven").await.is_ok();
    spawned an_impl_argument: async |flaky| impl_argument(&flaky, 7_u8, |more| more + 1).await.is_ok();
    spawned a_dyn_argument: async |flaky| dyn_argument(&flaky, &|| 7, Box::new(8)).await.is_ok();
    awaited a_dyn_argument_that_stays: async |flaky| stays(&flaky, &Cell::new(7)).await.is_ok();
    spawned a_function_with_an_instrumented_body: async |flaky| instrumented(&flaky, 7).await.is_ok();
    spawned a_function_with_other_attributes: async |flaky| attributed(&flaky).await.is_ok();
    spawned a_function_by_macro: async |flaky| by_macro(&flaky, 7).await.is_ok();
}

#[retry(attempts = 3, attempt = 500ms)]
async fn free(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

mod inner {
    use retry_plan::retry;

    use crate::table::Flaky;

    /// The visibility and the words of documentation stay.
    #[retry(attempts = 3, attempt = 500ms)]
    pub(crate) async fn visible(flaky: &Flaky) -> std::io::Result<u32> {
        flaky.answer().await
    }
}

#[derive(Clone)]
struct Client {
    flaky: Arc<Flaky>,
    log: Vec<usize>,
}

impl Client {
    const LIMIT: Duration = Duration::from_millis(500);

    fn of(flaky: Arc<Flaky>) -> Self {
        Self {
            flaky,
            log: Vec::new(),
        }
    }

    #[retry(attempts = 3, attempt = Self::LIMIT)]
    async fn shared(&self, id: u32) -> io::Result<u32> {
        Ok(self.flaky.answer().await? + id)
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn exclusive(&mut self) -> io::Result<usize> {
        self.log.push(self.log.len());
        self.flaky.answer().await?;
        Ok(self.log.len())
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn owned(self, name: String) -> io::Result<(u32, usize)> {
        Ok((self.flaky.answer().await?, name.len()))
    }

    #[retry(attempts = 3, attempt = 500ms, clone(self))]
    async fn given_away(self) -> io::Result<Vec<usize>> {
        struct Taken(Client);
        impl Taken {
            fn log(self) -> Vec<usize> {
                self.0.log
            }
        }
        let mut taken = Taken(self);
        assert!(taken.0.log.is_empty(), "no attempt sees what another left");
        taken.0.log.push(1);
        taken.0.flaky.answer().await?;
        Ok(taken.log())
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn pointed(self: Arc<Self>) -> io::Result<u32> {
        self.flaky.answer().await
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn pinned(mut self: Pin<&mut Self>) -> io::Result<usize> {
        self.as_mut().log.push(1);
        self.flaky.answer().await?;
        Ok(self.log.len())
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn local(self: Rc<Self>) -> io::Result<u32> {
        self.flaky.answer().await
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn associated(flaky: &Flaky) -> io::Result<u32> {
        flaky.answer().await
    }
}

trait Fetch: Sync {
    fn fetch(&self, id: u32) -> impl Future<Output = io::Result<u32>> + Send;

    fn flaky(&self) -> &Flaky;

    #[retry(attempts = 3, attempt = 500ms)]
    fn fetch_twice(&self) -> impl Future<Output = io::Result<u32>> + Send {
        async move {
            let flaky = self.flaky();
            Ok(flaky.answer().await? * 2)
        }
    }
}

impl Fetch for Client {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn fetch(&self, id: u32) -> io::Result<u32> {
        Ok(self.flaky.answer().await? + id)
    }

    fn flaky(&self) -> &Flaky {
        &self.flaky
    }
}

#[async_trait]
trait Store: Send + Sync {
    async fn load(&self, id: u32) -> io::Result<u32>;

    async fn store(&mut self, items: Vec<u32>) -> io::Result<usize>;

    async fn answer(&self) -> io::Result<u32>;

    #[retry(attempts = 3, attempt = 500ms)]
    async fn twice(&self) -> io::Result<u32> {
        let once = self.answer().await?;
        Ok(once * 2)
    }
}

#[async_trait]
impl Store for Client {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn load(&self, id: u32) -> io::Result<u32> {
        let value = self.flaky.answer().await?;
        Ok(value + id)
    }

    #[retry(attempts = 3, attempt = 500ms)]
    async fn store(&mut self, mut items: Vec<u32>) -> io::Result<usize> {
        items.push(0);
        assert_eq!(items.len(), 2, "no attempt sees what another left");
        self.flaky.answer().await?;
        self.log.push(items.len());
        Ok(self.log.len())
    }

    async fn answer(&self) -> io::Result<u32> {
        self.flaky.answer().await
    }
}

fn boxed(client: Client) -> Box<dyn Store> {
    Box::new(client)
}

#[async_trait(?Send)]
trait Beside {
    async fn beside(&self, cell: &Cell<u32>) -> io::Result<u32>;
}

#[async_trait(?Send)]
impl Beside for Client {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn beside(&self, cell: &Cell<u32>) -> io::Result<u32> {
        cell.set(cell.get() + self.flaky.answer().await?);
        Ok(cell.get())
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn generic<T, U: Display + Sync + ?Sized>(flaky: &Flaky, bytes: &T, name: &U) -> io::Result<String>
where
    T: AsRef<[u8]> + Sync + ?Sized,
{
    let call = flaky.answer().await?;
    Ok(format!("{call}{}{name}", bytes.as_ref().len()))
}

#[retry(attempts = 3, attempt = 500ms)]
async fn counted<const N: usize>(flaky: &Flaky, array: [u8; N]) -> io::Result<[u8; N]> {
    flaky.answer().await?;
    Ok(array)
}

#[retry(attempts = 3, attempt = 500ms)]
async fn longer<'a, 'b: 'a>(flaky: &Flaky, one: &'a str, other: &'b str) -> io::Result<&'a str> {
    flaky.answer().await?;
    Ok(if one.len() > other.len() { one } else { other })
}

struct Of<T>(T);

impl<T: Clone + Debug + Send + Sync> Of<T> {
    #[retry(attempts = 3, attempt = 500ms)]
    async fn generic<'a, U>(&'a self, flaky: &Flaky, other: U) -> io::Result<(&'a T, String)>
    where
        U: Debug + Send + Sync,
    {
        flaky.answer().await?;
        Ok((&self.0, format!("{other:?}")))
    }
}

#[retry(attempts = 3, attempt = 500ms)]
async fn impl_argument(
    flaky: &Flaky,
    more: impl Into<u32> + Copy + Sync,
    add: impl Fn(u32) -> u32 + Sync,
) -> io::Result<u32> {
    Ok(flaky.answer().await? + add(more.into()))
}

#[retry(attempts = 3, attempt = 500ms)]
async fn dyn_argument(
    flaky: &Flaky,
    more: &(dyn Fn() -> u32 + Sync),
    shown: Box<dyn Display + Send + Sync>,
) -> io::Result<String> {
    Ok(format!("{}{}{shown}", flaky.answer().await?, more()))
}

#[retry(attempts = 3, attempt = 500ms)]
async fn stays(flaky: &Flaky, cell: &Cell<u32>) -> io::Result<u32> {
    Ok(flaky.answer().await? + cell.get())
}

#[retry(attempts = 3, attempt = 500ms)]
#[tracing::instrument(skip(flaky), ret, err)]
async fn instrumented(flaky: &Flaky, id: u32) -> io::Result<u32> {
    let answer = flaky.answer().await?;
    tracing::info!(answer, "answered");
    Ok(answer + id)
}

#[doc = "Attributes stay where they are."]
#[inline]
#[retry(attempts = 3, attempt = 500ms)]
#[cfg(any(unix, windows))]
#[cfg_attr(any(), deprecated)]
async fn attributed(flaky: &Flaky) -> io::Result<u32> {
    flaky.answer().await
}

macro_rules! function {
    ($name:ident, $type:ty, $limit:expr, |$flaky:ident, $id:ident| $body:block) => {
        #[retry(attempts = 3, attempt = $limit)]
        async fn $name($flaky: &Flaky, $id: $type) -> io::Result<$type> $body
    };
}

function!(by_macro, u32, Duration::from_millis(500), |flaky, id| {
    let answer = flaky.answer().await?;
    Ok(answer + id)
});
